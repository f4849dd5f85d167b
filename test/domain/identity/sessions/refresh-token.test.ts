import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  newFamily,
  newRefreshToken,
  REFRESH_TOKEN_PATTERN,
  readRefreshToken,
} from '#shared/domain/identity/sessions/refresh-token.ts';
import { newId } from '#shared/ids.ts';
import { redact } from '#shared/log.ts';

const newToken = (generation = 0) => {
  const now = new Date();
  return newRefreshToken({ user_id: newId(now), session_id: newId(now), generation, family: newFamily() });
};

describe('refresh tokens', () => {
  it('are read as they were made', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (generation) => {
        const token = newToken(generation);
        expect(readRefreshToken(token.text)).toEqual(token);
      }),
    );
  });

  it('are recognized by secret scanners, and never logged', () => {
    for (let i = 0; i < 100; i++) {
      const { text } = newToken();
      expect(text).toMatch(new RegExp(`^${REFRESH_TOKEN_PATTERN}$`));
      expect(redact(`Cookie: refresh_token=${text}; x`)).toBe('Cookie: refresh_token=[secret]; x');
    }
  });

  it('are refused when a character is missing, added or changed', () => {
    const { text } = newToken();
    const changed = fc.tuple(
      fc.integer({ min: 0, max: text.length }),
      fc.string({ maxLength: 3 }),
      fc.nat(3),
    );
    fc.assert(
      fc.property(changed, ([at, put, cut]) => {
        const other = text.slice(0, at) + put + text.slice(at + cut);
        fc.pre(other !== text);
        expect(readRefreshToken(other)).toBeUndefined();
      }),
      { numRuns: 1_000 },
    );
  });

  it('differ even for the same session and generation', () => {
    const first = newToken();
    const second = newRefreshToken(first);
    expect(second).toMatchObject({ session_id: first.session_id, family: first.family });
    expect(second.text).not.toBe(first.text);
  });
});
