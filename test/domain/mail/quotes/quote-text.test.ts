import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitText, withoutQuotes } from '#shared/domain/mail/quotes/quote-text.ts';
import { longIt, reduced } from '../../../support/long.ts';
import { ATTRIBUTIONS, DELIMITERS, FORWARDS, HEADER_BLOCKS } from './fixtures/attributions.ts';

const ANSWER = 'Yes, that works for me.\n\nBest,\nBob\n\n';
const QUOTED = '> Shall we meet on Monday?\n>\n> Ann';
const PLAIN_QUOTE = 'Shall we meet on Monday?\n\nAnn';

describe('attribution lines', () => {
  it.each(Object.entries(ATTRIBUTIONS))('%s: above quoted lines', (_, line) => {
    for (const gap of ['\n', '\n\n']) {
      expect(splitText(ANSWER + line + gap + QUOTED)).toEqual({ fresh: ANSWER, quoted: line + gap + QUOTED });
    }
  });

  it.each(Object.entries(ATTRIBUTIONS))('%s: with an answer below the quote there is no split', (_, line) => {
    const text = `${line}\n${QUOTED}\n\nMonday is fine.`;
    expect(splitText(text)).toEqual({ fresh: text, quoted: null });
  });

  it.each(Object.entries(ATTRIBUTIONS).filter(([name]) => !/short|Gnus|Sup/.test(name)))(
    '%s: with a date it also stands above text without marks',
    (_, line) => {
      expect(splitText(`${ANSWER}${line}\n\n${PLAIN_QUOTE}`).fresh).toBe(ANSWER);
    },
  );

  it('takes the marks of Supercite, initials before the bracket', () => {
    const quote = `${ATTRIBUTIONS['en short']}\n\n AL> Shall we?\n AL>> Monday`;
    expect(splitText(ANSWER + quote)).toEqual({ fresh: ANSWER, quoted: quote });
  });

  it('a reply without own text has an empty beginning', () => {
    const text = `${ATTRIBUTIONS['en Gmail']}\n${QUOTED}`;
    expect(splitText(text)).toEqual({ fresh: '', quoted: text });
  });

  it('takes the header nearest the top when quotes nest', () => {
    const line = ATTRIBUTIONS['en Gmail'];
    const quote = `${line}\n> Sure.\n>\n> On Mon, Nov 16, 2009 at 9:00 AM, Bob <bob@b.example> wrote:\n>> Ok?`;
    expect(splitText(ANSWER + quote)).toEqual({ fresh: ANSWER, quoted: quote });
  });

  it('takes a nested header without marks as part of the quote', () => {
    const first = 'On Tue, 17 Nov 2009 at 21:28, Ann Lee <ann@a.example> wrote:\n> Sure.\n\n';
    const second = 'On Mon, 16 Nov 2009 at 09:00, Bob <bob@b.example> wrote:\n> Ok?';
    expect(splitText(ANSWER + first + second).fresh).toBe(ANSWER);
  });

  it.each([
    ['signature', '\n\n-- \nBob\nACME Ltd'],
    [
      'list footer',
      '\n\n_______________________________________________\nnotes mailing list\nnotes@l.example',
    ],
    ['phone line', '\n\nSent from my iPhone'],
    ['PGP signature', '\n\n-----BEGIN PGP SIGNATURE-----\nabc\n-----END PGP SIGNATURE-----'],
  ])('a %s below the quote is no answer', (_, footer) => {
    expect(splitText(`${ANSWER}${ATTRIBUTIONS['en Gmail']}\n${QUOTED}${footer}`).fresh).toBe(ANSWER);
  });

  it.each([
    ['a sentence that ends in wrote:', 'My boss wrote:\n\nplease come to the office.\n\nWhat now?'],
    ['an address and a colon', 'Please ask bob@b.example:\n\n- when\n- where'],
    ['a date and a colon', 'On Monday 17.11.2009 we have to decide:\n\n- red\n- blue'],
    ['quoted lines without header', 'See:\n\nthe docs.\n\n> a citation\n\nThat is all.'],
    ['a signature alone', 'Hello\n\n-- \nBob\nbob@b.example'],
    ['one field of a header', 'From: now on we meet at ten.\n\nBob'],
    [
      'an attribution above text without marks and below nothing',
      `${ATTRIBUTIONS['en Gmail']}\n\n${PLAIN_QUOTE}`,
    ],
    ['Supercite with answers', `${ATTRIBUTIONS['en Gmail']}\n\n AL> Shall we?\n\nYes.`],
    ['an empty text', ''],
  ])('%s is no quote header', (_, text) => {
    expect(splitText(text)).toEqual({ fresh: text, quoted: null });
  });
});

describe('earlier messages without marks', () => {
  it.each(Object.entries(DELIMITERS))('%s: delimiter line', (_, line) => {
    const quote = `${line}\n${PLAIN_QUOTE}`;
    expect(splitText(ANSWER + quote)).toEqual({ fresh: ANSWER, quoted: quote });
  });

  it.each(Object.entries(HEADER_BLOCKS))('%s: header block', (_, block) => {
    const quote = `${block}\n\n${PLAIN_QUOTE}`;
    expect(splitText(ANSWER + quote)).toEqual({ fresh: ANSWER, quoted: quote });
  });

  it('a header block in a message that the subject calls a forward is new text', () => {
    const text = `${ANSWER + HEADER_BLOCKS.en}\n\n${PLAIN_QUOTE}`;
    expect(splitText(text, true)).toEqual({ fresh: text, quoted: null });
  });
});

describe('forwarded messages', () => {
  it.each(Object.entries(FORWARDS))('%s: everything is new', (_, line) => {
    const text = `${ANSWER}${line}\n${HEADER_BLOCKS.en}\n\n${PLAIN_QUOTE}\n\n${ATTRIBUTIONS['en Gmail']}\n${QUOTED}`;
    expect(splitText(text)).toEqual({ fresh: text, quoted: null });
  });

  it('a forward inside a quote stays in the quote', () => {
    const quote = `${ATTRIBUTIONS['en Gmail']}\n> ${FORWARDS['en Gmail']}\n> From: Eve`;
    expect(splitText(ANSWER + quote).quoted).toBe(quote);
  });
});

describe('any text', () => {
  const line = fc.oneof(
    fc.constantFrom(
      '',
      '> a',
      '>> b',
      '-- ',
      'text',
      '____________',
      ...Object.values(ATTRIBUTIONS),
      ...Object.values(DELIMITERS),
    ),
    fc.constantFrom(...Object.values(HEADER_BLOCKS), ...Object.values(FORWARDS)),
    fc.constantFrom(
      `Fine. ${ATTRIBUTIONS['en Gmail']}`,
      `Fine--- ${ATTRIBUTIONS['en Gmail, folded']}`,
      `> ${ATTRIBUTIONS['fr Gmail']}`,
      'Date: 17.11.2009\nTo: ann@a.example',
      '> From: ann@a.example\n> Date: 17.11.2009',
      '> Ann Lee <ann@a.example\n> wrote:',
    ),
    fc.string(),
  );

  it('is split without loss', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.boolean(), (lines, forwarded) => {
        const text = lines.join('\n');
        const { fresh, quoted } = splitText(text, forwarded);
        expect(fresh + (quoted ?? '')).toBe(text);
      }),
      { numRuns: reduced(1000) },
    );
  });

  longIt.each([
    ['attributions', `${ATTRIBUTIONS['en Gmail']}\nno\n`],
    ['lead words', 'On 1\n'],
    ['header labels', 'From: a\n'],
    ['spaces', ' '],
    ['dashes', '-'],
    ['marks', '>'],
    ['colons', ':'],
    ['wrote', 'wrote '],
    ['digits', '1'],
    ['at signs', '@'],
    ['line breaks', '\n'],
    ['answers before attributions', `Fine. ${ATTRIBUTIONS['en Gmail']}\n`],
    ['dashes before dates', 'x--- On 1 '],
    ['pairs of fields', 'Date: 1.1.2020\nTo: a@a.example\n'],
    ['fields on one line', 'From: a@a.example '],
    ['quotes of one line', '> On 1.1.2020 a@a.example wrote:\n\n'],
    ['open brackets', '> (http://'],
  ])('of 1 MB of %s is read to the end', (_, unit) => {
    const text = unit.repeat(1_000_000 / unit.length);
    const { fresh, quoted } = splitText(text);
    expect(fresh.length + (quoted?.length ?? 0)).toBe(text.length);
  });
});

describe('text between quotes', () => {
  it('is what is left without the quoted lines and their attribution', () => {
    const text = 'Hi,\n\nAnn wrote:\n> a\n> b\n\nYes.\n\n> c\n\nNo: never.';
    expect(withoutQuotes(text)).toBe('Hi,\n\n\nYes.\n\n\nNo: never.');
  });
});
