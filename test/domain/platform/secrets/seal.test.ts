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
