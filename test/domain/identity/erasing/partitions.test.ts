import { describe, expect, it } from 'vitest';
import { belongingOf, isOf, partitions, partsOf } from '#shared/domain/identity/erasing/partitions.ts';
import { type Key, keys } from '#shared/table/keys.ts';

type Builder = (...given: string[]) => Key;

/** Numbers and types of records are texts here as well: only what a key begins with counts. */
const OWNER = '0198c0de-0000-7000-8000-000000000001';
const built = Object.entries(keys).map(([name, build]) => {
  const key = (build as unknown as Builder)(OWNER, '0', '0', '0', '0');
  return { name, key, kind: partsOf(key)[0] as string };
});
const owned = new Set([OWNER]);

describe('whose the items of a partition are', () => {
  it('is said for every key of the table, and for no other', () => {
    expect(built.filter(({ kind }) => !Object.hasOwn(partitions, kind))).toEqual([]);
    const kinds = new Set(built.map(({ kind }) => kind));
    expect(Object.keys(partitions).filter((kind) => !kinds.has(kind))).toEqual([]);
  });

  it('a key of a member begins with its id', () => {
    const members = built.filter(({ key }) => belongingOf(key) === 'member');
    expect(members.length).toBeGreaterThan(20);
    // How often something came from a network, which is no member.
    expect(members.filter(({ key }) => !isOf(owned, key)).map(({ name }) => name)).toEqual(['hourlyRate']);
  });

  it.each([
    { ...keys.posting(OWNER.replace('1', '2'), `contacts:word:${OWNER}`, OWNER) },
    { ...keys.posting('another', `calendar_events:starts_at:with:${OWNER}`, `1#${OWNER}`) },
    { ...keys.job(OWNER), account_id: OWNER },
    { ...keys.closedAccount(0, OWNER), account_id: OWNER },
    { ...keys.record('contacts', OWNER), account_id: 'another', name: OWNER, description: OWNER },
    { ...keys.waitlistee(OWNER), email_address: OWNER, note: OWNER },
  ])('is not said by what people write, nor of what goes last: %o', (item) => {
    expect(isOf(owned, item)).toBe(false);
  });

  it('is asked of the items for keys that nobody has thought of', () => {
    const item = { PK: 'NEW#1', SK: 'META' };
    expect([isOf(owned, { ...item, account_id: OWNER }), isOf(owned, item)]).toEqual([true, false]);
  });
});
