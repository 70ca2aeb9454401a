"""Small dense matrices, for norms that are not sums over coordinates."""
import math


def cholesky(matrix):
    """The lower factor of a positive definite matrix."""
    size = len(matrix)
    lower = [[0.0] * size for _ in range(size)]
    for i in range(size):
        for j in range(i + 1):
            rest = matrix[i][j] - math.fsum(lower[i][k] * lower[j][k] for k in range(j))
            lower[i][j] = math.sqrt(rest) if i == j else rest / lower[j][j]
    return lower


def whiten(lower, vector):
    """lower^-1 vector."""
    solved = []
    for i, value in enumerate(vector):
        solved.append((value - math.fsum(lower[i][k] * solved[k] for k in range(i))) / lower[i][i])
    return solved


def multiply(matrix, vector):
    return [math.fsum(a * b for a, b in zip(row, vector)) for row in matrix]


def eigenvalues(matrix):
    """Of a symmetric matrix, by Jacobi's rotations."""
    a = [list(row) for row in matrix]
    size = len(a)
    for _ in range(60):
        if sum(a[i][j]**2 for i in range(size) for j in range(i)) < 1e-30:
            break
        for p in range(size):
            for q in range(p + 1, size):
                rotate(a, p, q)
    return sorted(a[i][i] for i in range(size))


def rotate(a, p, q):
    if a[p][q] == 0:
        return
    angle = 0.5 * math.atan2(2 * a[p][q], a[q][q] - a[p][p])
    c, s = math.cos(angle), math.sin(angle)
    for row in a:
        row[p], row[q] = c * row[p] - s * row[q], s * row[p] + c * row[q]
    a[p], a[q] = ([c * x - s * y for x, y in zip(a[p], a[q])],
                  [s * x + c * y for x, y in zip(a[p], a[q])])
