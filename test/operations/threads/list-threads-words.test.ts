import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eml, givenMailbox, importMail } from '../../support/mail.ts';
import { subjectsOf, type ThreadQuery } from '../../support/thread-lists.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

const mail: [subject: string, text: string][] = [
  ['Invoice HP-1187 for labels', 'Payment within thirty days.'],
  ['Grüße aus Köln', 'Die Druckfedern sind da, die Rechnung kommt.'],
  ['Crème brûlée', 'An invitation to the harbour.'],
  ['工場見学のお礼', '先日はありがとうございました。'],
  ['Сравнение датчиков', 'Предварительные результаты.'],
  ['naive approach', 'x marks the spot'],
  ['Łódź, Straße', 'ΟΔΟΣ'],
];
const [invoice, koeln, creme, factory, sensors, naive, lodz] = mail.map(([subject]) => subject) as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];

describe('query and subject of GET /threads', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    const mailbox = await givenMailbox(workspace, workspace.ada);
    const plain = ['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: 8bit'];
    await importMail(
      workspace,
      workspace.ada,
      mailbox,
      mail.map(([subject, text], i) =>
        eml({
          id: `${i}@x`,
          subject: `=?utf-8?B?${Buffer.from(subject).toString('base64')}?=`,
          text,
          headers: plain,
        }),
      ),
    );
  });
  afterAll(() => workspace?.stop());

  const found = async (query: ThreadQuery) => (await subjectsOf(workspace.ada.reader, query)).sort();

  it.each([
    ['a word of the subject', 'invoice', [invoice]],
    ['a word of the snippet', 'payment', [invoice]],
    ['whatever the case', 'INVOICE', [invoice]],
    ['by its beginning', 'inv', [creme, invoice]],
    ['by two letters', 'dr', [koeln]],
    ['by a single letter', 'x', [naive]],
    ['not by its middle', 'voice', []],
    ['longer than the word', 'invoices', []],
    ['without accents', 'creme brulee', [creme]],
    ['with accents that the text has not', 'naïve', [naive]],
    ['with an umlaut or without', 'Koln', [koeln]],
    ['in composed and decomposed letters', 'bru\u0302le\u0301e', [creme]],
    ['with a letter that has no accent for Unicode', 'lodz', [lodz]],
    ['a sharp s as two', 'STRASSE', [lodz]],
    ['up to the sharp s', 'strass', [lodz]],
    ['a sigma that ends the query only', 'οδος', [lodz]],
    ['a sigma that ends the beginning of a word', 'οδο', [lodz]],
    ['in letters of full width', 'ｉｎｖｏｉｃｅ', [invoice]],
    ['digits', '1187', [invoice]],
    ['with a sign between', 'HP-1187', [invoice]],
    ['another script', 'срав', [sensors]],
    ['a script without spaces', '工場', [factory]],
    ['another script, by two letters', 'ср', [sensors]],
    ['all words must match', 'harbour invitation', [creme]],
    ['in any order and field', 'payment labels invoice', [invoice]],
    ['one that does not match is enough', 'invoice harbour', []],
    [
      'more words than lists are read for',
      'invoice hp 1187 for labels payment within thirty days',
      [invoice],
    ],
    ['the same word twice', 'invoice invoice', [invoice]],
    ['a long word', `invoice${'e'.repeat(400)}`, []],
    ['signs only', '!?-', []],
    ['an emoji', '🛥', []],
    ['something like an operator', 'subject:invoice OR "', []],
    ['a percent sign and a plus', '100% +', []],
  ])('query matches words of subject and snippet: %s', async (_, query, subjects) => {
    expect(await found({ query })).toEqual(subjects.toSorted());
  });

  it.each([
    ['in subjects', 'invoice', [invoice]],
    ['not in snippets', 'payment', []],
    ['by a single letter', 'x', []],
    ['all words', 'grüße koln', [koeln]],
    ['without accents', 'gruße au', [koeln]],
  ])('subject matches words of subjects only: %s', async (_, subject, subjects) => {
    expect(await found({ subject })).toEqual(subjects);
  });

  it('query and subject combine', async () => {
    expect(await found({ query: 'rechnung', subject: 'koln' })).toEqual([koeln]);
    expect(await found({ query: 'rechnung', subject: 'invoice' })).toEqual([]);
  });

  it('take 500 characters, not bytes', async () => {
    expect(await found({ query: 'é'.repeat(500) })).toEqual([]);
    expect(await found({ subject: '🛥'.repeat(500) })).toEqual([]);
  });
});
