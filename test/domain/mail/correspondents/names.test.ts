import { describe, expect, it } from 'vitest';
import { betterName, type NameInMail } from '#shared/domain/collaboration/records/correspondent.ts';
import { personName } from '#shared/domain/mail/correspondents/names.ts';

describe('the name of a person in a header', () => {
  it.each([
    ['Ada Byron', 'Ada Byron', 'Ada', 'Byron'],
    ["'Ada Byron'", 'Ada Byron', 'Ada', 'Byron'],
    [`"'Ada Byron'"`, 'Ada Byron', 'Ada', 'Byron'],
    ['“Ada Byron”', 'Ada Byron', 'Ada', 'Byron'],
    ['Byron, Ada', 'Ada Byron', 'Ada', 'Byron'],
    ['King-Noel, Ada Augusta', 'Ada Augusta King-Noel', 'Ada', 'Augusta King-Noel'],
    ['Byron, Ada (Acme)', 'Ada Byron', 'Ada', 'Byron'],
    ['Ada Byron [Acme]', 'Ada Byron', 'Ada', 'Byron'],
    ['Ada Byron, PhD', 'Ada Byron, PhD', 'Ada', 'Byron'],
    ['Acme, Inc.', 'Acme, Inc.', 'Acme', null],
    ['Byron, Ada, Countess', 'Byron, Ada, Countess', 'Byron', null],
    ['Ada', 'Ada', 'Ada', null],
    ['Ludwig van Beethoven', 'Ludwig van Beethoven', 'Ludwig', 'van Beethoven'],
    ["Ada O'Byron", "Ada O'Byron", 'Ada', "O'Byron"],
    ['  Ada \t Byron ', 'Ada Byron', 'Ada', 'Byron'],
    ['山田 太郎', '山田 太郎', '山田', '太郎'],
    ['(Ada)', '(Ada)', '(Ada)', null],
  ])('%s', (header, name, first_name, last_name) => {
    expect(personName(header, 'ab@acme.example')).toEqual({ name, first_name, last_name });
  });

  it.each([
    null,
    '',
    'ada@acme.example',
    '<ada@acme.example>',
    "'ada@acme.example'",
    'ADA.byron',
    'Ada via Google Docs',
    '12345',
    '...',
    '\u200b',
    'Ada\u202e Byron',
  ])('%j is none', (header) => {
    expect(personName(header, 'ada.byron@acme.example')).toBeUndefined();
  });

  it('is cut to what a contact may have, and not divided for a task', () => {
    expect(personName(`A${'b'.repeat(400)}`, 'x@acme.example')?.name).toHaveLength(255);
    expect(personName('Acme Support', 'support@acme.example')).toEqual({
      ...{ name: 'Acme Support', first_name: null, last_name: null },
    });
  });

  it('is the better of two in any order', () => {
    const whole = { name: 'Ada Byron', first_name: 'Ada', last_name: 'Byron', by_owner: false, at: 5 };
    const part = { name: 'Ada', first_name: 'Ada', last_name: null, by_owner: true, at: 1 };
    const pairs: [better: NameInMail, other: NameInMail | undefined][] = [
      [whole, undefined],
      [whole, part],
      [
        { ...whole, by_owner: true },
        { ...whole, at: 1 },
      ],
      [{ ...whole, at: 4 }, whole],
      [{ ...whole, name: 'Ada A Byron' }, whole],
    ];
    for (const [better, other] of pairs) {
      expect(betterName(better, other)).toBe(better);
      expect(betterName(other, better)).toBe(better);
    }
  });
});
