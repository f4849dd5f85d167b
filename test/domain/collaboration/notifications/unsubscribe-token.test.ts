import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  readUnsubscribeToken,
  unsubscribeToken,
} from '#shared/domain/collaboration/notifications/mails/token.ts';
import { writeCursor } from '#shared/table/cursor.ts';

/** docs/decisions/0070-mail-about-notifications.md */
describe('the token of a link that ends mail', () => {
  const whose = {
    account_id: '0198c0de-0000-7000-8000-00000000000a',
    user_id: '0198c0de-0000-7000-8000-00000000000b',
  };
  const day = (days: number) => new Date(Date.UTC(2026, 10, 23) + days * 86_400_000);
  const token = unsubscribeToken(['secret'], whose, day(0));
  const read = (text: string, secrets = ['secret'], now = day(0)) => readUnsubscribeToken(secrets, text, now);

  it('is of one user', () => {
    expect(read(token)).toEqual(whose);
  });

  it('says nothing: it holds no id, and is another one each time', () => {
    const again = unsubscribeToken(['secret'], whose, day(0));
    expect(again).not.toBe(token);
    const bytes = Buffer.from(token, 'base64url').toString('hex');
    for (const id of Object.values(whose)) expect(bytes).not.toContain(id.replaceAll('-', '').slice(0, 8));
    expect(token).toMatch(/^[\w-]{86}$/);
  });

  it('works for a year', () => {
    expect(read(token, ['secret'], day(366))).toEqual(whose);
    expect(read(token, ['secret'], day(367))).toBeUndefined();
  });

  it('works while its secret is one of those in use', () => {
    expect(read(token, ['new', 'secret'])).toEqual(whose);
    expect(read(token, ['new'])).toBeUndefined();
    expect(read(token, [])).toBeUndefined();
  });

  it('cannot be changed, shortened, spelt in another way or made of something else', () => {
    const bytes = Buffer.from(token, 'base64url');
    for (let i = 0; i < bytes.length; i++) {
      const changed = Buffer.from(bytes);
      changed[i] = (changed[i] as number) ^ 1;
      expect(read(changed.toString('base64url'))).toBeUndefined();
    }
    const scope = { list: 'notifications', filters: null, user_id: whose.user_id };
    const cursor = writeCursor(['secret'], scope, 'x'.repeat(48));
    const others = [
      cursor,
      bytes.toString('base64'),
      `${token}=`,
      token.slice(0, -1),
      `${token}A`,
      `${token} `,
    ];
    for (const other of [...others, '', 'A'.repeat(86), '\0', 'é'.repeat(64), 'A'.repeat(100_000)])
      expect(read(other), other.slice(0, 100)).toBeUndefined();
  });

  it('is never anything that comes along', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 64, maxLength: 64 }), (bytes) => {
        expect(read(Buffer.from(bytes).toString('base64url'))).toBeUndefined();
      }),
    );
  });
});
