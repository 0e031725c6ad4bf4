/* How fast one game can be played by chance: throw-in with lead_size=one, 36 cards, 2 to 6 seats, written by hand for nothing else.
 *
 * The rules, in the order in which a hand meets them. Everybody gets six cards, the last card of the pack names the trump suit. The
 * lowest trump leads (with none anywhere, seat 0). A bout: the leader plays any card; the defender beats the one open card (higher of its
 * suit, or a trump) or takes. When all is beaten, the others are asked in turn from the leader for a card of a rank on the table; the first
 * who gives one is answered. The bout ends when nobody gives, or when as many cards were played as the defender held (six at most). To a
 * taker the others may give more, each until he passes. Then hands are filled to six: the leader, the others clockwise, the defender.
 * Who beat all leads next, after a taker the next seat. With the pack gone and at most one hand left the deal is over.
 *
 * Each choice is uniform over the legal cards and, where there is one, the word that passes or takes. A turn is one asking of a seat that
 * holds cards; a decision is a turn with two or more to choose from.
 *
 * Built by `durak bench` as a library: cc -O3 -march=native -shared -fPIC. With -DNO_PDEP an element of a set is found by a loop.
 */
#include <stdint.h>
#if defined(__BMI2__) && !defined(NO_PDEP)
#include <immintrin.h>
#define PDEP 1
#endif

typedef uint64_t set;
enum { CARDS = 36, FULL_HAND = 6, SEATS = 6 }; /* a card is 4 * rank + suit */
#define ONE(card) (1ULL << (card))
#define SUIT_0 0x111111111ULL /* the first suit's card of every rank */

static set beaten_by[4][CARDS]; /* for a trump suit and a card: what beats it */

static void fill_tables(void) {
    for (int trump = 0; trump < 4; trump++)
        for (int low = 0; low < CARDS; low++) {
            beaten_by[trump][low] = 0;
            for (int high = 0; high < CARDS; high++)
                if ((high & 3) == (low & 3) ? high > low : (high & 3) == trump) beaten_by[trump][low] |= ONE(high);
        }
}

/* ---- chance: splitmix64, and multiply-shift on the upper half of a word */

static inline uint32_t below(uint64_t *source, uint32_t n) {
    uint64_t z = (*source += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return (uint32_t)((((z ^ (z >> 31)) >> 32) * n) >> 32);
}

/* ---- sets */

static inline int size(set s) { return __builtin_popcountll(s); }
static inline int lowest(set s) { return __builtin_ctzll(s); }
static inline int element(set s, uint32_t number) {
#ifdef PDEP
    return lowest(_pdep_u64(1ULL << number, s));
#else
    while (number--) s &= s - 1;
    return lowest(s);
#endif
}
static inline set of_same_rank(set s) {
    s |= s >> 1;
    s |= s >> 2;
    return (s & SUIT_0) * 15;
}

/* ---- one deal */

typedef struct { uint64_t turns, decisions, bouts, draws, lost[SEATS]; } counts; /* lost: by the distance from the first leader */

#define NEXT(seat) ((seat) + 1 == seats ? 0 : (seat) + 1)
#define DRAW() ONE(pack[top++])
/* a card of `may` or a word: the number, equal to the size of `may` where the word was said; one turn */
#define CARD_OR_WORD(may) (turns++, many = size(may), decisions += many > 0, many ? below(source, many + 1) : 0)

static inline void deal(uint64_t *source, const int seats, counts *total) {
    unsigned char pack[CARDS];
    set hand[SEATS] = {0};
    int top = 0;
    for (int i = 0; i < CARDS; i++) pack[i] = (unsigned char)i;
    for (int i = CARDS - 1; i > 0; i--) {
        const int j = (int)below(source, (uint32_t)i + 1);
        const unsigned char card = pack[i];
        pack[i] = pack[j];
        pack[j] = card;
    }
    for (int p = 0; p < seats; p++)
        for (int i = 0; i < FULL_HAND; i++) hand[p] |= DRAW();
    const int trump = pack[CARDS - 1] & 3;
    const set *const beat = beaten_by[trump];

    int leader = 0, best = CARDS;
    for (int p = 0; p < seats; p++) {
        const set trumps = hand[p] & (SUIT_0 << trump);
        if (trumps && lowest(trumps) < best) {
            best = lowest(trumps);
            leader = p;
        }
    }
    const int first = leader;
    uint64_t turns = 0, decisions = 0, bouts = 0;
    for (;;) {
        int defender = NEXT(leader);
        while (!hand[defender]) defender = NEXT(defender);
        bouts++;
        int most = size(hand[defender]);
        if (most > FULL_HAND) most = FULL_HAND;

        int many = size(hand[leader]);
        turns++;
        decisions += many > 1;
        int card = element(hand[leader], many > 1 ? below(source, (uint32_t)many) : 0);
        hand[leader] ^= ONE(card);
        set table = ONE(card);
        int played = 1, takes = 0;
        for (;;) {
            const set may = hand[defender] & beat[card];
            uint32_t chosen = CARD_OR_WORD(may);
            if (chosen == (uint32_t)many) {
                takes = 1;
                break;
            }
            const set answer = ONE(element(may, chosen));
            hand[defender] ^= answer;
            table |= answer;
            if (played == most) break;
            const set fitting = of_same_rank(table);
            int p = leader, given = 0;
            do {
                if (p != defender && hand[p]) {
                    const set may_give = hand[p] & fitting;
                    chosen = CARD_OR_WORD(may_give);
                    if (chosen != (uint32_t)many) {
                        card = element(may_give, chosen);
                        hand[p] ^= ONE(card);
                        table |= ONE(card);
                        played++;
                        given = 1;
                        break;
                    }
                }
                p = NEXT(p);
            } while (p != leader);
            if (!given) break;
        }
        if (takes) {
            const set fitting = of_same_rank(table);
            int p = leader;
            do {
                if (p != defender)
                    while (played < most && hand[p]) {
                        const set may_give = hand[p] & fitting;
                        const uint32_t chosen = CARD_OR_WORD(may_give);
                        if (chosen == (uint32_t)many) break;
                        const set given = ONE(element(may_give, chosen));
                        hand[p] ^= given;
                        table |= given;
                        played++;
                    }
                p = NEXT(p);
            } while (p != leader);
            hand[defender] |= table;
        }
        if (top < CARDS) {
            int p = leader;
            do {
                if (p != defender)
                    for (int wants = FULL_HAND - size(hand[p]); wants > 0 && top < CARDS; wants--) hand[p] |= DRAW();
                p = NEXT(p);
            } while (p != leader);
            for (int wants = FULL_HAND - size(hand[defender]); wants > 0 && top < CARDS; wants--) hand[defender] |= DRAW();
        }
        if (top == CARDS) {
            int holding = 0, loser = -1;
            for (int p = 0; p < seats; p++)
                if (hand[p]) {
                    holding++;
                    loser = p;
                }
            if (holding <= 1) {
                total->turns += turns;
                total->decisions += decisions;
                total->bouts += bouts;
                if (loser < 0) total->draws++;
                else total->lost[(loser - first + seats) % seats]++;
                return;
            }
        }
        leader = takes ? NEXT(defender) : defender;
        while (!hand[leader]) leader = NEXT(leader);
    }
}

static inline __attribute__((always_inline)) void deals_of(const int seats, uint64_t deals, uint64_t seed, counts *total) {
    while (deals--) deal(&seed, seats, total);
}

/* Play so many deals; adds up turns, decisions, bouts, draws, losses by the distance from the first leader. */
void limit_run(int seats, uint64_t deals, uint64_t seed, counts *total) {
    fill_tables();
    switch (seats) { /* each number of seats has code of its own */
        case 2: deals_of(2, deals, seed, total); break;
        case 3: deals_of(3, deals, seed, total); break;
        case 4: deals_of(4, deals, seed, total); break;
        case 5: deals_of(5, deals, seed, total); break;
        case 6: deals_of(6, deals, seed, total); break;
    }
}
