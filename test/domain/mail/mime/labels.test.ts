import { describe, expect, it } from 'vitest';
import { parseMessage } from '#shared/domain/mail/mime/parse.ts';
import { mail } from './mails.ts';

async function notes(...lines: string[]) {
  const { category, read, starred } = await parseMessage(mail([...lines, 'From: ann@a.example']));
  return { category, read, starred };
}

const none = { category: null, read: false, starred: false };

describe('X-Gmail-Labels of a Google Takeout', () => {
  it.each([
    ['Inbox,Category Personal', 'personal'],
    ['Inbox,Category Promotions', 'promotion'],
    ['Category Updates,Inbox', 'update'],
    ['Category Forums', 'forum'],
    ['Inbox,Category Social', 'update'],
    ['category updates', 'update'],
    ['CATEGORY_PROMOTIONS', 'promotion'],
    ['Inbox, "Category Forums" ,Unread', 'forum'],
    ['Inbox,Important', null],
    ['Promotions', null],
    ['"Bills, Category Promotions"', null],
    ['Category', null],
    ['constructor,__proto__', null],
    ['', null],
    ['"', null],
  ])('%s: category %s', async (labels, category) => {
    expect(await notes(`X-Gmail-Labels: ${labels}`)).toMatchObject({ category });
  });

  it('reads encoded words, over several lines and with a word cut in two', async () => {
    const promotion = await notes(
      'X-Gmail-Labels: =?UTF-8?Q?Inbox,Caf=C3=A9_=26_Bar,Categ?=\r\n =?UTF-8?Q?ory_Promotions,Unread?=',
    );
    expect(promotion).toEqual({ category: 'promotion', read: false, starred: false });
    const base64 = Buffer.from('Opened,Starred,Category Updates,Käse').toString('base64');
    expect(await notes(`X-Gmail-Labels: =?utf-8?B?${base64}?=`)).toEqual({
      category: 'update',
      read: true,
      starred: true,
    });
  });

  it.each([
    ['Inbox,Unread', { read: false, starred: false }],
    ['Inbox', { read: true, starred: false }],
    ['Archived,Opened,Starred', { read: true, starred: true }],
    ['Inbox,Starred,Unread', { read: false, starred: true }],
    ['Posteingang,Wichtig,Kategorie: "Neuigkeiten"', { read: false, starred: false }],
    ['My own label', { read: false, starred: false }],
    [`Inbox,${'Another,'.repeat(50)}Starred,Unread`, { read: false, starred: true }],
  ])('%s: %j', async (labels, expected) => {
    expect(await notes(`X-Gmail-Labels: ${labels}`)).toMatchObject(expected);
  });

  it('takes the program’s own line, which is the first, and not one that the sender wrote', async () => {
    const lines = ['X-Gmail-Labels: Inbox,Unread', 'X-Gmail-Labels: Starred,Category Personal'];
    expect(await notes(...lines)).toEqual(none);
  });

  it('reads a line of any length', async () => {
    const labels = Array.from({ length: 20_000 }, (_, i) => `Label ${i}`).join(',');
    expect(await notes(`X-Gmail-Labels: Category Forums,${labels}`)).toMatchObject({ category: 'forum' });
    expect(await notes(`X-Gmail-Labels: ${'"'.repeat(50_001)}`)).toEqual(none);
  });
});

describe('status lines of an mbox', () => {
  it.each([
    [['Status: RO'], { read: true, starred: false }],
    [['Status: O'], { read: false, starred: false }],
    [['Status: RO', 'X-Status: F'], { read: true, starred: true }],
    [['X-Status: AF'], { read: false, starred: true }],
    [['Status:', 'X-Status:'], { read: false, starred: false }],
    [[], { read: false, starred: false }],
  ])('%j: %j', async (lines, expected) => {
    expect(await notes(...lines)).toEqual({ ...none, ...expected });
  });
});
