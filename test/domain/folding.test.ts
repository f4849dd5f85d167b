import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prefixes } from '#shared/domain/mail/threads/lists/postings.ts';
import { tail, tailTerm } from '#shared/domain/platform/postings/prefixes.ts';
import { matchesTerms, wordsOf } from '#shared/domain/platform/postings/words.ts';
import { foldForSearch, foldName } from '#shared/folding.ts';
import { longIt, reduced } from '../support/long.ts';

/** Text as people write it: letters of many scripts with accents, ligatures and cases, and any other characters. */
const letters = [
  ...'aAbBéÉłŁøØæÆœŒđĐðÞßẞſiıİIςσΣόΌάΆеёйЁ',
  ...[
    'e\u0301',
    'o\u0308',
    'ﬁ',
    'ﬀ',
    'ǆ',
    'ŉ',
    'ΐ',
    'ᾳ',
    'Ａ',
    'ｂ',
    'ｶ\uFF9E',
    'が',
    'か\u3099',
    'ﷲ',
    '℡',
    'K',
  ],
  ...[
    'שָׁ',
    'לוֹ',
    'ﬡ',
    'مُ',
    'حَمَّ',
    'دـ',
    'أ',
    'हि',
    'न्',
    'दी',
    'ไทย',
    '한',
    'ᄒ\u1161',
    '\u00AD',
    '\u200D',
    '\uFE0F',
  ],
];
const written = fc
  .array(fc.oneof(fc.constantFrom(...letters), fc.constantFrom(' ', '-'), fc.string({ unit: 'binary' })), {
    maxLength: 12,
  })
  .map((parts) => parts.join(''));

/** The same text in other cases and forms of Unicode. */
const forms: ((text: string) => string)[] = [
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
  (text) => text.normalize('NFC'),
  (text) => text.normalize('NFD'),
  (text) => ` ${text}\t`,
];

describe('folding', () => {
  it.each([
    ['case', 'Renewal', 'RENEWAL'],
    ['the German sharp s', 'Straße', 'STRASSE'],
    ['its capital', 'STRAẞE', 'straße'],
    ['final sigma', 'ΟΔΟΣ', 'οδος'],
    ['a sigma that is not final', 'οδος', 'οδοσ'],
    ['dotted I', 'İzmir', 'izmir'],
    ['dotless i', 'Işık', 'IŞIK'],
    ['ligatures', 'ﬁnance', 'FINANCE'],
    ['composed and decomposed letters', 'Caf\u00E9', 'cafe\u0301'],
  ])('names and searches: %s', (_, one, other) => {
    expect(foldName(one)).toBe(foldName(other));
    expect(foldForSearch(one)).toBe(foldForSearch(other));
  });

  it.each([
    ['accents', 'Crème brûlée', 'creme brulee'],
    ['stroke letters', 'Łódź', 'LODZ'],
    ['Nordic letters', 'Ærøskøbing', 'aeroskobing'],
    ['other Latin letters', 'Đœþ ħŧŋ', 'doeth htn'],
    ['width', 'Ｆｅｒｒｙ', 'ferry'],
    ['compatible letters in upper case', '℡', 'tel'],
    ['Greek accents', 'Αθήνα', 'ΑΘΗΝΑ'],
    ['Cyrillic accents', 'Ещё', 'ЕЩЕ'],
    ['Hebrew points', 'שָׁלוֹם', 'שלום'],
    ['Arabic marks', 'مُحَمَّد', 'محمد'],
    ['an Arabic stretch', 'محـــمد', 'محمد'],
    ['a hamza', 'أحمد', 'احمد'],
    ['soft hyphens and joiners', 'time\u00ADta\u200Dble', 'timetable'],
  ])('searches, not names: %s', (_, one, other) => {
    expect(foldForSearch(one)).toBe(foldForSearch(other));
    expect(foldName(one)).not.toBe(foldName(other));
  });

  it.each([
    ['Indic vowels', 'हिन्दी', 'हन्द'],
    ['kana', 'が', 'か'],
    ['letters', 'ü', 'a'],
  ])('neither: %s', (_, one, other) => {
    expect(foldForSearch(one)).not.toBe(foldForSearch(other));
  });

  it('a search folds all that a name folds, and folding again changes nothing', () => {
    fc.assert(
      fc.property(written, fc.nat(forms.length - 1), (text, form) => {
        const other = (forms[form] as (text: string) => string)(text);
        expect(foldForSearch(foldForSearch(text))).toBe(foldForSearch(text));
        expect(foldName(foldName(text))).toBe(foldName(text));
        if (foldName(text) === foldName(other)) expect(wordsOf(other)).toEqual(wordsOf(text));
        expect(foldForSearch(foldName(text))).toBe(foldForSearch(text.trim()));
      }),
      { numRuns: reduced(2_000) },
    );
  });

  longIt('one letter in upper case, lower case or another form is found by the other', () => {
    for (let code = 1; code < 0x3_0000; code += 1) {
      if (code >= 0xd800 && code < 0xe000) continue;
      const letter = String.fromCodePoint(code);
      const folded = foldForSearch(letter);
      const name = foldName(letter);
      const again = [foldForSearch(folded), foldForSearch(letter.toUpperCase()), foldForSearch(name)];
      if (again.some((each) => each !== folded && name !== '') || foldName(name) !== name)
        expect.fail(`U+${code.toString(16)} is not folded once and for all`);
    }
  });
});

describe('a word is found by its beginning, however either is written', () => {
  const segmenter = new Intl.Segmenter('und');
  /** Scripts in which a dictionary finds the words cut a beginning elsewhere than the whole. */
  const word = fc
    .array(
      fc.constantFrom(
        ...letters.filter(
          (each) =>
            !/\p{Default_Ignorable_Code_Point}|[\p{Script=Thai}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(
              each,
            ),
        ),
      ),
      {
        minLength: 1,
        maxLength: 12,
      },
    )
    .map((parts) => parts.join(''));

  it('in the text, and in the list where the index looks for it', () => {
    fc.assert(
      fc.property(word, fc.nat(11), fc.nat(forms.length - 1), (text, length, form) => {
        const graphemes = [...segmenter.segment(text)].map(({ segment }) => segment);
        const begun = graphemes.slice(0, length + 1).join('');
        const [stored, terms] = [wordsOf(text), wordsOf((forms[form] as (text: string) => string)(begun))];
        expect(matchesTerms(terms, stored)).toBe(true);
        for (const term of terms) {
          const prefix = prefixes.for(term);
          if (prefix === undefined) continue;
          const listed = stored.filter((each) => prefixes.of(each).includes(prefix));
          const behind = tailTerm(prefix, term);
          expect(listed).not.toEqual([]);
          if (behind !== undefined) expect(tail(prefix, listed)).toContain(behind);
        }
      }),
      { numRuns: reduced(2_000) },
    );
  });

  it.each([
    ['the', undefined],
    ['th', undefined],
    ['wit', undefined],
    ['those', undefined],
    ['form', 'for'],
    ['theme', 'theme'],
    ['Wither', 'withe'],
    ['Otherness', 'other'],
    ['hasta', 'hasta'],
  ])('%s, in the list %s', (text, bucket) => {
    const [term] = wordsOf(text);
    expect(prefixes.for(term as string)).toBe(bucket);
  });

  it('and very common words have no list', () => {
    const text = 'All that which they would have done with your other forms';
    expect(wordsOf(text).flatMap((word) => prefixes.of(word))).toEqual(['don', 'for', 'forms']);
  });
});
