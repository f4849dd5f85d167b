import { describe, expect, it } from 'vitest';
import { nameRank } from '#shared/domain/collaboration/record-lists/ranks.ts';
import { pageOf } from '#shared/domain/crm/contacts/pages.ts';
import { isSamePhone, isSimilarName, ranksOfName } from '#shared/domain/crm/duplicates/same.ts';

describe('phone numbers', () => {
  it.each([
    ['+44 20 7946 0123', '+442079460123', true],
    ['0044 20 7946-0123', '+44 (20) 7946.0123', true],
    ['020 7946 0123', '+44 20 7946 0123', true],
    ['(555) 010-0199', '+1 555 010 0199', true],
    ['20 7946 0123', '+44 21 7946 0123', false],
    ['0123', '0123', false],
    ['555 012', '555-012', true],
    ['946 0123', '+44 20 7946 0123', false],
    ['', '', false],
    ['#', '*', false],
    ['+44 (0)20 7946 0123', '0044 20 7946 0123', true],
    ['+44 (0)20 7946 0123', '020 7946 0123', true],
    ['+44 20 7946 0123 x12', '0044 2079460123;12', true],
    ['+44 20 7946 0123 x12', '+44 20 7946 0123', false],
    ['+44 20 7946 0123 x12', '020 7946 0123', true],
    ['+49 (0) 30 1234567', '+49301234567', true],
    ['+49 30 12345678', '+49 130 12345678', false],
    ['+39 06 698 12345', '06 69812345', true],
    ['+39 06 698 12345', '+39 6 698 12345', false],
    ['+1 212 555 0123', '+44 212 555 0123', false],
    ['+999 20 7946 0123', '+99920 79460123', true],
  ])('%s and %s: %s', (a, b, same) => {
    expect([isSamePhone(a, b), isSamePhone(b, a)]).toEqual([same, same]);
  });
});

describe('names', () => {
  it.each([
    ['Ada Byron', 'ada  BYRON', true],
    ['José García', 'Jose Garcia', true],
    ['Byron, Ada', 'Ada Byron', true],
    ['Byron,  Ada', 'ada byron', true],
    ['King Byron, Ada', 'Ada King Byron', true],
    ['Byron, Ada King', 'King Byron, Ada', true],
    ['李 雷', '李, 雷', false],
    ['雷, 李', '李 雷', true],
    ['Ada', 'Ada Byron', false],
    ['Byron Ada', 'Ada Byron', false],
    ['Byron,Ada', 'Ada Byron', false],
    ['Byron, Ada, PhD', 'Ada Byron', false],
    ['Of, One Two Three Four Five', 'One Two Three Four Five Of', false],
  ])('%s and %s: %s', (a, b, similar) => {
    expect([isSimilarName(a, b), isSimilarName(b, a)]).toEqual([similar, similar]);
    // Each is found from the other.
    expect(ranksOfName(a).includes(nameRank(b))).toBe(similar);
    expect(ranksOfName(b).includes(nameRank(a))).toBe(similar);
  });
});

describe('links', () => {
  it.each([
    ['https://www.linkedin.example/in/ada/', 'http://linkedin.example/in/ada#top', true],
    ['https://ada.example/', 'https://ada.example', true],
    ['https://ada.example/?id=1', 'https://ada.example/?id=2', false],
    ['https://ada.example/A', 'https://ada.example/a', false],
    ['https://ada.example:8443/', 'https://ada.example/', false],
  ])('%s and %s: %s', (a, b, same) => {
    expect(pageOf(a) === pageOf(b)).toBe(same);
  });
});
