import { expect, it } from 'vitest';
import { wordsOfMessage } from '#shared/domain/mail/texts/words.ts';

/** The words by which a message is found (docs/specification/search.md). */

const address = (name: string | null, email_address: string) => ({ name, email_address });
const message = {
  subject: 'Ánchor',
  from: address('Zoë', 'zoe@strand.example'),
  to: [address(null, 'kelp@fin.example')],
  cc: [address('Tom', 'tom@fin.example')],
  bcc: [address('Hidden', 'hidden@fin.example')],
  body: { new_plain_text: 'New words, new WORDS', quoted_plain_text: 'Quoted' },
};

it('are folded, once each: of the subject, also as such, the people but those of Bcc, the text and what it quotes', () => {
  expect(wordsOfMessage(message)).toEqual([
    ...['anchor', ':anchor', 'zoe', 'strand', 'example', 'kelp', 'fin', 'tom', 'new', 'words', 'quoted'],
  ]);
});

it('are kept by their first 64 characters, also beyond the basic plane', () => {
  const body = { new_plain_text: `${'x'.repeat(70)} ${'𝒳𐐷'.repeat(40)}`, quoted_plain_text: null };
  const [, , , , , , , , ...text] = wordsOfMessage({ ...message, body });
  expect(text.map((word) => [...word].length)).toEqual([64, 64]);
});

it('are 64 kB of different words, the first ones', () => {
  const all = Array.from({ length: 20_000 }, (_, i) => `word${i}`);
  const body = { new_plain_text: all.join(' '), quoted_plain_text: 'late' };
  const words = wordsOfMessage({ ...message, body });
  const bytes = words.reduce((sum, word) => sum + word.length + 1, 0);
  expect(bytes).toBeGreaterThan(63_980);
  expect(bytes).toBeLessThanOrEqual(64_000);
  expect(words.at(-1)).toBe(`word${words.length - 9}`);
});
