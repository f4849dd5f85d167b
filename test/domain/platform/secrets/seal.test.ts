import { expect, it } from 'vitest';
import { open, seal } from '#shared/domain/platform/secrets/seal.ts';

it('opens with any key of the deployment, in its place, and otherwise not', () => {
  const sealed = seal(['new', 'old'], 'pässword', 'here');
  expect(sealed).not.toContain('ssword');
  expect(seal(['new'], 'pässword', 'here')).not.toBe(sealed);
  expect(open(['newer', 'new'], sealed, 'here')).toBe('pässword');
  expect(open(['new'], sealed, 'there')).toBeUndefined();
  expect(open(['old'], sealed, 'here')).toBeUndefined();
  const changed = `${sealed.startsWith('A') ? 'B' : 'A'}${sealed.slice(1)}`;
  expect(open(['new'], changed, 'here')).toBeUndefined();
  expect(open(['new'], sealed.slice(0, 30), 'here')).toBeUndefined();
  expect(() => seal([], 'x', 'here')).toThrow();
});

it('opens nothing by a part of its tag, which would be easy to guess', () => {
  const bytes = Buffer.from(seal(['new'], '', 'here'), 'base64url');
  expect(open(['new'], bytes.toString('base64url'), 'here')).toBe('');
  for (const length of [16, 20, 24, 27])
    expect(open(['new'], bytes.subarray(0, length).toString('base64url'), 'here')).toBeUndefined();
});
