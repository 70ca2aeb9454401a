/* completion.h - what may follow the words typed so far, for the shells (programs/completions/).
 *
 * `sfumato --complete WORD...` has the words after `sfumato`, the last one unfinished.  It prints
 * one candidate for that word per line: the word, a tab, what it is.  A line that begins with a tab
 * asks the shell for names of files; behind the tab stands what comes before the name within the
 * word: "",
 * "@", "--schema=".  Candidates follow from the tables of options, and names of columns from the
 * header of the file that the words name.  Nothing of what follows that line is shown, and no other
 * file is opened. */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

void completion_print(int count, char *const *words);

#endif
