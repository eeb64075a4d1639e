/* searches.h: what a model ends with: the program around it, or nothing, if that is a file of its own (searches.c). */
#ifndef SEARCHES_ARE_APART
#include "main.h"
#elif MODEL_REDUCES
#include "stubborn.h"
#endif
