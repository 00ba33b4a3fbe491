// The program of one game and one kind of tree.
#define HEADER2(name) #name
#define HEADER(name) HEADER2(name)
#include "common.cuh"
#include HEADER(GAME_HEADER)
#include "search.cuh"
