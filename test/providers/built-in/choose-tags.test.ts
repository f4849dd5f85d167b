import { describe, expect, it } from 'vitest';
import { builtInAssistant } from '#shared/providers/assistant/built-in/built-in.ts';

const tags = [
  { id: 'invoices', name: 'Invoices', description: 'Bills to pay, payments and reminders' },
  { id: 'hiring', name: 'Hiring', description: 'Applications, candidates and interviews' },
  { id: 'cafe', name: 'Café Zürich', description: null },
  { id: 'customers', name: 'Customers', description: null },
  { id: 'new', name: 'New', description: 'New things' },
  { id: 'tokyo', name: '工場', description: null },
];

async function chosen(subject: string | null, text: string, from = 'Bob Boole <bob@orbit.example>') {
  const thread = { subject, messages: [{ from, sent_at: '2026-11-09T13:05:00.000Z', text }] };
  return (await builtInAssistant.chooseTags(thread, tags, null, Date.now() + 1000)).tag_ids;
}

describe('a tag is chosen', () => {
  it('by its name in the subject, in the singular, too', async () => {
    expect(await chosen('Invoice 1187', 'Good morning.')).toEqual(['invoices']);
  });

  it('by its name said more than once', async () => {
    expect(await chosen('Hello', 'Are you hiring? If you are hiring, write to me.')).toEqual(['hiring']);
  });

  it('by several words of its description', async () => {
    expect(await chosen('Application', 'I am a candidate. May I come for an interview?')).toEqual(['hiring']);
  });

  it('with any case and accents', async () => {
    expect(await chosen('Lunch at CAFE ZURICH', 'Hello.')).toEqual(['cafe']);
  });

  it('in scripts without spaces', async () => {
    expect(await chosen('工場見学のお礼', 'こんにちは。')).toEqual(['tokyo']);
  });

  it('best first, three at most', async () => {
    const many = 'Invoice for hiring the Café Zürich for new customers at 工場';
    expect(await chosen(many, '')).toEqual(['invoices', 'hiring', 'cafe']);
  });
});

describe('no tag is chosen', () => {
  it.each([
    ['for a word said once in passing', 'Hello', 'The invoice went out with the cat.'],
    ['for part of a name', 'Lunch in Zürich', 'Shall we meet in Zürich? Zürich is nice.'],
    ['for nothing in common', 'Roof', 'The telescope is blue.'],
    ['without text', null, ''],
  ])('%s', async (_, subject, text) => {
    expect(await chosen(subject, text)).toEqual([]);
  });

  it('for the words of a newsletter', async () => {
    const letter =
      'New offers for customers. Our customers love the new invoice app. Pay invoices faster. We are hiring, and hiring again.\nUnsubscribe here.';
    expect(await chosen('What is new for customers this week', letter)).toEqual([]);
    expect(
      await chosen('Weekly news', letter.replace('Unsubscribe here.', ''), 'no-reply@shop.example'),
    ).toEqual([]);
  });
});
