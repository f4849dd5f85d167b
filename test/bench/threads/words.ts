import type { Random } from './random.ts';

/** Text as mail has it: a few words in nearly every line, most words in hardly any, and beginnings that many share. */

const FREQUENT =
  `the to and you for of in we is on it that this with your are be have from please our will at by as
can not if me my or let know thanks meeting call week time an new would was there all has about team day any no when
up out today send just so see need confirm attached order tomorrow email review document date some invoice more get
could next here but one monday update work address contact first office project details payment hi contract which
information offer friday delivery two question number price schedule service they also available per back been how
over forward copy following customer change account discuss draft hours make what number agreement deadline final
reply request still sent office board budget than conference ticket after looking visit ship question who people
company notes plan proposal end month before possible year free total training open find best regards add form list
under sign use into only then phone check start morning problem support travel then them good quarter through room
business policy program product provide process print private prices property promise production content continue
control contribution connection condition consider consultant complete complaint comments committee communication
community compare cost course country council count couple insurance internal interest interview installation inside
include income increase index industry transport transfer transaction translation trade train track trial report
reports repair replace reservation reserve result return revenue register remind release research response resource`
    .split(/\s+/)
    .filter((word, i, words) => words.indexOf(word) === i);

const ONSETS =
  'b br c ch cl cr d dr f fl g gr h j k l m n p pl pr qu r s sc sh sl st sw t th tr v w y z'.split(' ');
const VOWELS = 'a e i o u ai ea ou'.split(' ');
const MIDDLES = 'b ck d ll m n nd p r rt s st t v'.split(' ');
const ENDINGS = 'a en er ing le o on s y ed'.split(' ');

/** All words, the most frequent first: after the known ones, rare ones such as names. */
const WORDS = [
  ...FREQUENT,
  ...ENDINGS.flatMap((end) =>
    MIDDLES.flatMap((middle) =>
      VOWELS.flatMap((vowel) => ONSETS.map((onset) => onset + vowel + middle + end)),
    ),
  ),
];

/** Numbers of orders, rooms and the like: one word in this many. */
const NUMBERS_EVERY = 40;

/** Zipf's law with an offset, which keeps the first few from being everywhere. */
export function zipf(size: number, offset: number): (random: Random) => number {
  let total = 0;
  const sums = Array.from({ length: size }, (_, rank) => (total += 1 / (rank + offset)));
  return (random) => {
    const wanted = random() * total;
    let [low, high] = [0, size - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] as number) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

const place = zipf(WORDS.length, 8);

export const word = (random: Random): string => WORDS[place(random)] as string;

export function text(random: Random, words: number): string {
  return Array.from({ length: words }, () =>
    random() * NUMBERS_EVERY < 1 ? String(Math.floor(random() * 90_000) + 10_000) : WORDS[place(random)],
  ).join(' ');
}
