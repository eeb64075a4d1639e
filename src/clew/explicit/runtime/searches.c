/* searches.c: the program around a model that is a file of its own. What it needs to know is given by the compiler's
 * options: SEARCHES_ARE_APART, MODEL_WORDS, MODEL_ASKS_TIMEOUT, MODEL_REDUCES. */
#include "model.h"
#include "main.h"
