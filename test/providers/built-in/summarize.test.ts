import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtInAssistant } from '#shared/providers/assistant/built-in/built-in.ts';
import { longIt } from '../../support/long.ts';

const telescope = {
  subject: 'A telescope for the roof',
  messages: [
    {
      from: 'Mary Somerville <mary@orbit.example>',
      sent_at: '2026-11-09T13:05:00.000Z',
      text: 'Dear Ada,\n\nWe would like to put a telescope on your roof. It is blue.\n\nKind regards,\nMary Somerville\nOrbit',
    },
    { from: 'Ada Lovelace', sent_at: '2026-11-10T14:05:00.000Z', text: 'Which weight does it have?' },
    {
      from: 'Mary Somerville',
      sent_at: '2026-11-11T14:05:00.000Z',
      text: 'Ninety kilograms. I will bring it by 30 November 2026.',
    },
  ],
};

const summarize = (thread: Parameters<typeof builtInAssistant.summarize>[0]) =>
  builtInAssistant.summarize(thread, null, Date.now() + 1000);

describe('a summary', () => {
  it('says who asked what first, the questions since, and the current state, with names and days', async () => {
    expect(await summarize(telescope)).toEqual({
      headline: 'Mary Somerville on “A telescope for the roof”: “I will bring it by 30 November 2026.”',
      summary:
        'On Monday 9 November 2026 Mary Somerville wrote: “We would like to put a telescope on your roof.” ' +
        'On Tuesday 10 November 2026 Ada Lovelace asked: “Which weight does it have?” ' +
        'On Wednesday 11 November 2026 Mary Somerville promised: “I will bring it by 30 November 2026.”',
      usage: { input_tokens: 0, output_tokens: 0 },
    });
  });

  it('of one message says that it is the only one', async () => {
    const { summary } = await summarize({ subject: null, messages: telescope.messages.slice(0, 1) });
    expect(summary).toBe(
      'On Monday 9 November 2026 Mary Somerville wrote: “We would like to put a telescope on your roof.” It is the only message.',
    );
  });

  it('of nothing invents nothing', async () => {
    const { headline, summary } = await summarize({ subject: 'Roof', messages: [] });
    expect(headline).toBe('No messages on “Roof”.');
    expect(summary).toBe('There are no messages. There is nothing to summarize.');
  });

  longIt('is never too long, and never empty', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 2000 }),
      fc
        .array(fc.constantFrom('I will ', 'please ', 'come ', 'by 3 May', '. ', '? ', '\n', 'é🙂'), {
          maxLength: 300,
        })
        .map((all) => all.join('')),
    );
    const messages = fc.array(
      fc.record({ from: text, sent_at: fc.constantFrom('2026-11-09T13:05:00.000Z', 'never'), text }),
      { maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(fc.option(text), messages, async (subject, all) => {
        const { headline, summary } = await summarize({ subject, messages: all });
        expect(headline.length).toBeGreaterThan(0);
        expect(headline.length).toBeLessThanOrEqual(140);
        expect(headline).not.toContain('\n');
        expect(summary.length).toBeGreaterThan(0);
        expect(summary.length).toBeLessThanOrEqual(1000);
      }),
      { numRuns: 500 },
    );
  });
});
