# The front door.  CMake builds (CMakePresets.json); the logic of each target is in tools/.
PREFIX ?= /usr/local

help:
	@echo "make build      install what is missing, build build/release/sfumato"
	@echo "make demo       simulate a clinic, release its ages, a map and a mean curve, draw them"
	@echo "make test       every suite and script, each where it finds most"
	@echo "make test-long  large audits and attacks, injected faults, and a million runs of each fuzz target"
	@echo "make bench      measure against the peers"
	@echo "make figures    draw the papers' figures and check what they claim"
	@echo "make install    install the command and the library under PREFIX=$(PREFIX)"
	@echo "make dist       write the source tarball to build/dist"
	@echo "make deb        build the Debian packages in build/deb"
	@echo "make binary     write a tarball of the command that runs without installing anything, to build/binary"
	@echo "make wheel      build the Python package, a wheel and an sdist, in build/wheel/dist, and try it in every Python found"
	@echo "make docs       build the pages, with the reference of the Python package, in build/docs/html"
	@echo "make image      build an OCI image with docker, podman or buildah"
	@echo "make test-packages  install, use, upgrade and remove all of these in clean systems (as root)"
	@echo "make format     format the C files"
	@echo "make clean      remove build/ and demo/"

setup:
	@tools/setup

build: setup
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target sfumato sfumato_cli

demo: setup
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target sfumato_cli
	@examples/demo

test:
	@tools/test

test-long:
	@tools/test --long

bench: build
	@tools/setup bench
	@bench/run

figures: setup
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target figures
	@figures/run

install: build
	cmake --install build/release --prefix $(PREFIX)

dist deb binary image docs:
	@tools/$@

wheel:
	@tools/wheel
	@tests/tools/wheel_everywhere

test-packages:
	@tests/packages/run

format:
	@tools/setup format
	@tools/format

clean:
	rm -rf build demo

.PHONY: help setup build demo test test-long bench figures install dist deb binary image docs wheel test-packages format clean
