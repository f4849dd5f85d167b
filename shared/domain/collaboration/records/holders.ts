import { isDeepStrictEqual } from 'node:util';
import type { Caller, CallerContext } from '#shared/domain/identity/caller.ts';
import { invalidField } from '#shared/errors.ts';
import { type Key, keys, type RecordType } from '#shared/table/keys.ts';
import { at, type Item, mustNotExist, update, type Write, when } from '#shared/table/table.ts';
import { type GuardedItem, isVisible } from './policy.ts';

/**
 * The records that have a value, such as an email address: an item for each value, written in the record's own
 * transaction. It fails when another record takes or leaves the value first.
 */

interface Holder {
  name: string;
  visibility: 'account' | 'private';
  user_id: string;
}

export type HeldValue = Item & { holders: Record<string, Holder> };

type Holding = Holder & { id: string; account_id: string };

/** A holder as the caller may see it: a private record of somebody else may be shared with the caller. */
type Candidate = [id: string, holder: Holder, visible: 'yes' | 'perhaps'];

interface HolderKind<R extends Holding> {
  type: RecordType;
  key(account_id: string, value: string): Key;
  valuesOf(record: R): string[];
  /** The field with the values, and how many of them can change at once. */
  field: string;
  most: number;
  /** The error for values that a visible record has, by their places; missing where several may have one. */
  taken?(places: number[]): Error;
}

/** Private records of others that are read for one value. */
const MAX_ASKED = 5;

/** Those that the caller may see, oldest first. */
function candidatesOf(item: HeldValue, { user }: Caller): Candidate[] {
  const all = Object.entries(item.holders)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, holder]): Candidate => {
      const visible = holder.visibility === 'account' || holder.user_id === user.id;
      return [id, holder, visible ? 'yes' : 'perhaps'];
    });
  const asked = all.filter(([, , visible]) => visible === 'perhaps').slice(0, MAX_ASKED);
  return all.filter((each) => each[2] === 'yes' || asked.includes(each));
}

const holderOf = ({ name, visibility, user_id }: Holding): Holder => ({ name, visibility, user_id });

export class Holders<R extends Holding> {
  readonly #kind: HolderKind<R>;

  constructor(kind: HolderKind<R>) {
    this.#kind = kind;
  }

  async #read(
    { table, caller }: CallerContext,
    values: string[],
    options: { consistent: boolean },
  ): Promise<Map<string, HeldValue>> {
    const keyOf = (value: string) => this.#kind.key(caller.account.id, value);
    const items = await table.getMany<HeldValue>(values.map(keyOf), options);
    const byKey = new Map(items.map((item) => [item.SK, item]));
    return new Map(
      values.flatMap((value) => {
        const item = byKey.get(keyOf(value).SK);
        return item ? [[value, item] as const] : [];
      }),
    );
  }

  /** By value: the oldest record with it that the caller sees. */
  async #visible({ table, caller }: CallerContext, items: Map<string, HeldValue>) {
    const candidates = [...items].map(([value, item]) => [value, candidatesOf(item, caller)] as const);
    const asked = candidates.flatMap(([, some]) =>
      some.flatMap(([id, , visible]) => (visible === 'yes' ? [] : [id])),
    );
    const read = await table.getMany<GuardedItem>(asked.map((id) => keys.record(this.#kind.type, id)));
    const shared = new Set(read.filter((record) => isVisible(record, caller)).map(({ id }) => id));
    return new Map(
      candidates.flatMap(([value, some]) => {
        const first = some.find(([id, , visible]) => visible === 'yes' || shared.has(id));
        return first ? [[value, { id: first[0], name: first[1].name }] as const] : [];
      }),
    );
  }

  /** The visible record with each value, if any. `consistent: false` is milliseconds old, at half the price. */
  async find(
    ctx: CallerContext,
    values: string[],
    options = { consistent: true },
  ): Promise<Map<string, { id: string; name: string }>> {
    return this.#visible(ctx, await this.#read(ctx, values, options));
  }

  /** The records that have the value, hidden ones too. */
  async idsOf(ctx: CallerContext, value: string): Promise<string[]> {
    const items = await this.#read(ctx, [value], { consistent: true });
    return Object.keys(items.get(value)?.holders ?? {});
  }

  async #refuseTaken(ctx: CallerContext, values: string[], before: string[], items: Map<string, HeldValue>) {
    const { taken } = this.#kind;
    if (!taken) return;
    const added = new Map([...items].filter(([value]) => !before.includes(value)));
    const holders = await this.#visible(ctx, added);
    const places = values.flatMap((value, i) => (holders.has(value) ? [i] : []));
    if (places.length > 0) throw taken(places);
  }

  /**
   * The writes for a record's values; `before` is undefined for a new record, `after` for a deleted one. `taken` when a
   * record that the caller sees has an added value; hidden ones do not count and stay hidden. 400 `too_long` when more
   * change than fit into one transaction.
   */
  async change(ctx: CallerContext, before: R | undefined, after: R | undefined): Promise<Write[]> {
    const { valuesOf, field, most } = this.#kind;
    const [old, wanted] = [before ? valuesOf(before) : [], after ? valuesOf(after) : []];
    const same = before && after && isDeepStrictEqual(holderOf(before), holderOf(after));
    const moving = [...new Set([...old, ...wanted])].filter(
      (value) => !same || !old.includes(value) || !wanted.includes(value),
    );
    if (moving.length > most)
      throw invalidField(field, 'too_long', `no more than ${most} can change at once`);
    const items = await this.#read(ctx, moving, { consistent: true });
    await this.#refuseTaken(ctx, wanted, old, items);
    return moving.flatMap((value): Write[] => {
      const item = items.get(value);
      if (after && wanted.includes(value)) return [this.#claim(after, value, item)];
      return before && item ? [this.#release(before, item)] : [];
    });
  }

  #claim(record: R, value: string, item: HeldValue | undefined): Write {
    const key = this.#kind.key(record.account_id, value);
    const holder = holderOf(record);
    if (!item) return { put: { ...key, holders: { [record.id]: holder } }, when: mustNotExist };
    return update<HeldValue>(key, {
      set: { holders: at(record.id, holder) },
      when: { holders: item.holders },
    });
  }

  #release(record: R, { PK, SK, holders }: HeldValue): Write {
    const key = { PK, SK };
    const unchanged = when<HeldValue>({ holders });
    if (Object.keys(holders).every((id) => id === record.id)) return { delete: key, when: unchanged };
    return update<HeldValue>(key, { remove: [['holders', record.id]], when: unchanged });
  }
}
