import { crc32 } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  hashSecret,
  isWellFormedSecret,
  newSecret,
  SECRET_PATTERN,
} from '#shared/domain/identity/credentials/secret.ts';
import { ApiError } from '#shared/errors.ts';
import { type CursorScope, readCursor, writeCursor } from '#shared/table/cursor.ts';

const kind = fc.constantFrom('api_key' as const, 'session' as const);

describe('the text of a credential', () => {
  it('is well formed and unique', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(kind, (each) => {
        const secret = newSecret(each);
        expect(isWellFormedSecret(secret)).toBe(true);
        expect(secret).toMatch(new RegExp(`^${SECRET_PATTERN}$`));
        expect(seen.has(secret)).toBe(false);
        seen.add(secret);
      }),
    );
  });

  it('reveals every changed character, and every swap of two', () => {
    fc.assert(
      fc.property(
        kind,
        fc.nat(),
        fc.nat(),
        fc.string({ minLength: 1, maxLength: 1 }),
        (each, a, b, letter) => {
          const secret = newSecret(each);
          const [i, j] = [a % secret.length, b % secret.length];
          const changed = secret.slice(0, i) + letter + secret.slice(i + 1);
          if (changed !== secret) expect(isWellFormedSecret(changed)).toBe(false);
          const letters = [...secret];
          [letters[i], letters[j]] = [letters[j] as string, letters[i] as string];
          if (letters.join('') !== secret) expect(isWellFormedSecret(letters.join(''))).toBe(false);
        },
      ),
    );
  });

  it('is not what a person would type', () => {
    fc.assert(fc.property(fc.string({ maxLength: 100 }), (text) => !isWellFormedSecret(text)));
    for (const text of [
      '',
      'wsk_live_',
      newSecret('api_key').trimEnd().slice(0, -1),
      `${newSecret('api_key')}\n`,
    ])
      expect(isWellFormedSecret(text)).toBe(false);
  });

  it('ends in the base62 CRC32 of the text before it, which makes no other text a credential', () => {
    const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    const checksum = (text: string) =>
      Array.from({ length: 6 }, (_, i) => alphabet[Math.floor(crc32(text) / 62 ** (5 - i)) % 62]).join('');
    const random = 'a'.repeat(32);
    for (const start of ['wsk_live_', 'wsk_session_'])
      expect(isWellFormedSecret(start + random + checksum(start + random))).toBe(true);
    for (const start of ['', 'wsk_test_', 'wsk_live_a', 'WSK_LIVE_', ' wsk_live_'])
      expect(isWellFormedSecret(start + random + checksum(start + random))).toBe(false);
  });

  it('is stored as a hash that differs for every secret', () => {
    const secrets = Array.from({ length: 100 }, () => newSecret('api_key'));
    expect(new Set(secrets.map(hashSecret)).size).toBe(100);
    for (const secret of secrets) expect(hashSecret(secret)).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('cursors', () => {
  const scope: fc.Arbitrary<CursorScope> = fc.record({
    list: fc.constantFrom('threads', 'contacts:name:asc', 'contacts:name:desc'),
    filters: fc.option(
      fc.dictionary(fc.constantFrom('unread', 'query', 'tags'), fc.string(), { maxKeys: 3 }),
    ),
    user_id: fc.uuid(),
  });
  const position = fc
    .string({ unit: 'grapheme', maxLength: 300 })
    .filter((text) => text !== '' && text.isWellFormed());
  const signing = ['new key', 'old key'];
  const refused = (read: () => string) => {
    try {
      read();
      return false;
    } catch (error) {
      return error instanceof ApiError && error.code === 'invalid_cursor';
    }
  };

  it('give back their position, for the key that signs and for older ones', () => {
    fc.assert(
      fc.property(scope, position, (where, at) => {
        expect(readCursor(signing, where, writeCursor(signing, where, at))).toBe(at);
        expect(readCursor(signing, where, writeCursor(['old key'], where, at))).toBe(at);
        expect(refused(() => readCursor(['new key'], where, writeCursor(['old key'], where, at)))).toBe(true);
      }),
    );
  });

  it('do not depend on the order of the filters', () => {
    const one = { list: 'threads', filters: { a: 1, b: 2 }, user_id: 'u' };
    const other = { ...one, filters: { b: 2, a: 1 } };
    expect(readCursor(signing, other, writeCursor(signing, one, 'x'))).toBe('x');
  });

  it('are refused after any change of a byte, in any spelling', () => {
    fc.assert(
      fc.property(scope, position, fc.nat(), fc.integer({ min: 1, max: 255 }), (where, at, place, by) => {
        const cursor = writeCursor(signing, where, at);
        const bytes = Buffer.from(cursor, 'base64url');
        bytes.writeUInt8(bytes.readUInt8(place % bytes.length) ^ by, place % bytes.length);
        expect(refused(() => readCursor(signing, where, bytes.toString('base64url')))).toBe(true);
        for (const spelling of [
          `${cursor}=`,
          ` ${cursor}`,
          `${cursor}A`,
          cursor.slice(1),
          cursor.slice(0, -1),
        ])
          expect(refused(() => readCursor(signing, where, spelling))).toBe(true);
      }),
    );
  });

  it('are refused for another list, other filters and another user', () => {
    fc.assert(
      fc.property(scope, scope, position, (mine, other, at) => {
        const cursor = writeCursor(signing, mine, at);
        const foreign = [
          { ...mine, list: `${mine.list}2` },
          { ...mine, filters: { ...mine.filters, more: 'x' } },
          { ...mine, user_id: other.user_id },
        ];
        for (const where of foreign)
          if (where.user_id !== mine.user_id || where.list !== mine.list || where.filters !== mine.filters)
            expect(refused(() => readCursor(signing, where, cursor))).toBe(true);
      }),
    );
  });

  it('are refused when they are anything else', () => {
    const where = { list: 'threads', filters: null, user_id: 'u' };
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => refused(() => readCursor(signing, where, text))),
    );
    expect(refused(() => readCursor(signing, where, 'A'.repeat(100_000)))).toBe(true);
  });
});
