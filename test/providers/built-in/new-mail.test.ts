import { describe, expect, it } from 'vitest';
import { builtInAssistant } from '#shared/providers/assistant/built-in/built-in.ts';

/** What the built-in assistant finds in a new mail: little, and nothing wrong. */

const mail = (text: string, subject = 'Re: Forty Limpets') => ({
  subject,
  messages: [{ from: 'Priya Raghunathan', sent_at: '2026-11-10T10:30:00.000Z', text }],
  reader: { name: 'Ada', email_address: 'ada@acme.example', time_zone: 'Europe/Berlin' },
  // A Tuesday, 11:30 in Berlin.
  arrived_at: '2026-11-10T10:30:00.000Z',
});
const deadline = Date.now() + 60_000;

describe('tasks', () => {
  const tasks = async (text: string) =>
    (await builtInAssistant.findTasks(mail(text), null, deadline)).tasks.map(({ name, due }) =>
      due === null ? name : `${name} | ${due}`,
    );

  it.each([
    ['Please send the drawing.', 'Send the drawing'],
    ['Could you please send us the drawing?', 'Send us the drawing'],
    ['Would you order twelve hooks by Friday?', 'Order twelve hooks | 2026-11-13'],
    ['We need you to sign the contract before 3 December.', 'Sign the contract | 2026-12-03'],
    ['Please call the harbour tomorrow at 3pm.', 'Call the harbour | 2026-11-11T15:00'],
    ['Please pay it by Friday 27 November, so that the books close.', 'Pay it | 2026-11-27'],
    ['The crane is booked, so please bring the ladder – the long one.', 'Bring the ladder'],
    ['Please bring the keys, which are blue.', 'Bring the keys'],
  ])('%s', async (text, task) => {
    expect(await tasks(text)).toEqual([task]);
  });

  it.each([
    'Could you let me know whether it fits?',
    'Please find the drawing attached.',
    'Please do not hesitate to call.',
    'Can you tell me when you arrive?',
    'Please note that we close at five.',
    'Would you like some tea?',
    'Can you believe it?',
    'I will please myself.',
    'Please.',
    'Bitte senden Sie uns die Zeichnung.',
    '> Please send the drawing.',
    'On Monday, Bob wrote:\n> Could you send the drawing?',
  ])('none: %s', async (text) => {
    expect(await tasks(text)).toEqual([]);
  });

  it('are each named once', async () => {
    expect(await tasks('Please send it now. Kindly: please send it now.')).toHaveLength(1);
  });
});

describe('business', () => {
  const later = [
    { id: 'tender', name: 'Tender', kind: 'open' as const },
    { id: 'won', name: 'Awarded', kind: 'won' as const },
  ];
  const signal = async (text: string, deals: { name: string; stage: string; later: typeof later }[] = []) =>
    (await builtInAssistant.findDeal(mail(text), deals, null, deadline)).signal;
  const open = [{ name: 'Fleet', stage: 'Lead', later }];

  it.each([
    ['Could you send us a quote for forty?', null, null],
    ['How much would forty cost?', null, null],
    ['We would like to order twelve of them.', null, null],
    ['Could you make us an offer? Our budget is €12,500.', 12_500, 'EUR'],
    ['We would like to buy some: we have USD 900.', 900, 'USD'],
  ])('begins with: %s', async (text, amount, currency) => {
    expect(await signal(text)).toEqual({ kind: 'new', name: 'Forty Limpets', amount, currency });
  });

  it.each([
    'Our offer is attached.',
    'We can offer you a special price.',
    'Raise the list price on the first of the month.',
    'Could you cancel the offer?',
    'Lunch on Thursday?',
  ])('does not begin with: %s', async (text) => {
    expect(await signal(text)).toBeNull();
  });

  it.each([
    ['Could you send us your offer?', 'tender'],
    ['We accept your offer.', 'won'],
    ['Our purchase order is 4711.', 'won'],
    ['See you on Thursday.', null],
  ])('moves on with: %s', async (text, stage_id) => {
    expect(await signal(text, open)).toEqual(stage_id && { kind: 'step', deal: 0, stage_id });
  });

  it('reads any text in time', async () => {
    const start = performance.now();
    for (const text of [
      `${'please '.repeat(4_000)}send`,
      `${'could you '.repeat(3_000)}?`,
      'a, '.repeat(8_000),
    ]) {
      await builtInAssistant.findTasks(mail(text), null, deadline);
      await signal(text);
    }
    expect(performance.now() - start).toBeLessThan(3_000);
  });
});
