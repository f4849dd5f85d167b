import { isDeepStrictEqual } from 'node:util';
import type { Caller, CallerContext } from '#shared/domain/identity/caller.ts';
import { invalidField } from '#shared/errors.ts';
import type { Key, RecordType } from '#shared/table/keys.ts';
import { type Item, mustNotExist, type Table, update, type Write, when } from '#shared/table/table.ts';
import type { Merged } from './merged.ts';
import { visibleRecords } from './policy.ts';

/**
 * The records that have a value, such as an email address: an item for each value, written in the record's own
 * transaction. It fails when another record takes or leaves the value first.
 */

interface Holder {
  name: string;
  visibility: 'account' | 'private';
  user_id: string;
  /** What the record shows, as it was when this was written: whoever lists records reads it with them, and checks it. */
  shows?: string[];
}

/** What the values of a record say of it, as it was when they were written. */
export interface Held {
  id: string;
  name: string;
  shows: string[];
}

export type HeldValue = Item & { holders: Record<string, Holder> };

type Holding = Holder & { id: string; account_id: string };

/** A holder as the caller may see it: a private record of somebody else may be shared with the caller. */
type Candidate = [id: string, holder: Holder, visible: 'yes' | 'perhaps'];

interface HolderKind<R extends Holding> {
  type: RecordType;
  key(account_id: string, value: string): Key;
  valuesOf(record: R): string[];
  /** The ids of records that it shows. */
  shows?(record: R): string[];
  /** The field with the values, and how many of them can change at once. */
  field: string;
  most: number;
  /** The error for values that a visible record has, by their places; missing where several may have one. */
  taken?(places: number[]): Error;
  /** Whether any number of records may have the value. */
  isCommon?(value: string): boolean;
  /** Hidden records count as well. */
  hidden_too?: boolean;
}

/** Of records with more values, what they show is not written again when nothing else of a value changes. */
const FEW = 10;

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

/** A record before and after a change: undefined for one that is new, or that ends. */
interface Step<R> {
  before: R | undefined;
  after: R | undefined;
}

/** Values that change, with the items of those that are held. */
interface Moved {
  values: string[];
  items: Map<string, HeldValue>;
}

const holderOf = ({ name, visibility, user_id }: Holding): Holder => ({ name, visibility, user_id });

/** What the holders of a record say besides its id. */
type Says<R> = (record: R) => Holder;

export class Holders<R extends Holding> {
  readonly #kind: HolderKind<R>;

  constructor(kind: HolderKind<R>) {
    this.#kind = kind;
  }

  readonly #whole: Says<R> = (record) => {
    const shows = this.#kind.shows?.(record) ?? [];
    return { ...holderOf(record), ...(shows.length > 0 ? { shows } : {}) };
  };

  #read({ table, caller }: CallerContext, values: string[], options: { consistent: boolean }) {
    return this.#readIn(table, caller.account.id, values, options);
  }

  async #readIn(
    table: Table,
    account_id: string,
    values: string[],
    options: { consistent: boolean },
  ): Promise<Map<string, HeldValue>> {
    const keyOf = (value: string) => this.#kind.key(account_id, value);
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
  async #visible(ctx: CallerContext, items: Map<string, HeldValue>) {
    const candidates = [...items].map(([value, item]) => [value, candidatesOf(item, ctx.caller)] as const);
    const asked = candidates.flatMap(([, some]) =>
      some.flatMap(([id, , visible]) => (visible === 'yes' ? [] : [id])),
    );
    const shared = new Set((await visibleRecords(ctx, this.#kind.type, asked)).map(({ id }) => id));
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

  /** The records that have one of the values, hidden ones too. */
  async idsOf(ctx: CallerContext, values: string[]): Promise<string[]> {
    return [...(await this.showing(ctx, values)).keys()];
  }

  /** The same by id, with their names, and what they show as far as their values say so. */
  async showing(ctx: CallerContext, values: string[]): Promise<ReadonlyMap<string, Held>> {
    const held = new Map<string, Held>();
    for (const each of [...(await this.heldBy(ctx, values)).values()].flat())
      held.set(each.id, {
        ...each,
        shows: [...new Set([...(held.get(each.id)?.shows ?? []), ...each.shows])],
      });
    return held;
  }

  /** The same by value. */
  async heldBy(ctx: CallerContext, values: string[]): Promise<Map<string, Held[]>> {
    const items = await this.#read(ctx, values, { consistent: true });
    const heldIn = ({ holders }: HeldValue) =>
      Object.entries(holders).map(([id, { name, shows = [] }]) => ({ id, name, shows }));
    return new Map([...items].map(([value, item]) => [value, heldIn(item)]));
  }

  /** The records with one of the values that the caller may see, oldest first for each value. */
  async candidates(ctx: CallerContext, values: string[]): Promise<string[]> {
    const items = await this.#read(ctx, values, { consistent: true });
    return [...items.values()].flatMap((item) => candidatesOf(item, ctx.caller).map(([id]) => id));
  }

  async #refuseTaken(ctx: CallerContext, values: string[], before: string[], items: Map<string, HeldValue>) {
    const { taken, isCommon, hidden_too } = this.#kind;
    if (!taken) return;
    const refused = (value: string) => !before.includes(value) && !isCommon?.(value);
    const added = new Map([...items].filter(([value]) => refused(value)));
    const holders = hidden_too ? added : await this.#visible(ctx, added);
    const places = values.flatMap((value, i) => (holders.has(value) ? [i] : []));
    if (places.length > 0) throw taken(places);
  }

  #moving({ before, after }: Step<R>, says: Says<R>): string[] {
    const { valuesOf } = this.#kind;
    const [old, wanted] = [before ? valuesOf(before) : [], after ? valuesOf(after) : []];
    const same = before && after && isDeepStrictEqual(says(before), says(after));
    return [...new Set([...old, ...wanted])].filter(
      (value) => !same || !old.includes(value) || !wanted.includes(value),
    );
  }

  /** The values that move in one of the steps, or whose holder says something else, with their items. */
  async #moved(table: Table, account_id: string, steps: Step<R>[], says: Says<R> = holderOf): Promise<Moved> {
    const { field, most } = this.#kind;
    const values = [...new Set(steps.flatMap((step) => this.#moving(step, says)))];
    if (values.length > most)
      throw invalidField(field, 'too_long', `no more than ${most} can change at once`);
    return { values, items: await this.#readIn(table, account_id, values, { consistent: true }) };
  }

  #holdersAfter(holders: HeldValue['holders'], value: string, { before, after }: Step<R>) {
    const others = Object.entries(holders).filter(([id]) => id !== before?.id && id !== after?.id);
    const holds = after && this.#kind.valuesOf(after).includes(value);
    return Object.fromEntries(holds ? [...others, [after.id, this.#whole(after)]] : others);
  }

  #writes(account_id: string, { values, items }: Moved, steps: Step<R>[]): Write[] {
    return values.flatMap((value): Write[] => {
      const item = items.get(value);
      const key = this.#kind.key(account_id, value);
      const holders = steps.reduce<HeldValue['holders']>(
        (held, step) => this.#holdersAfter(held, value, step),
        item?.holders ?? {},
      );
      const held = Object.keys(holders).length > 0;
      if (!item) return held ? [{ put: { ...key, holders }, when: mustNotExist }] : [];
      const unchanged = when<HeldValue>({ holders: item.holders });
      if (!held) return [{ delete: key, when: unchanged }];
      return [update<HeldValue>(key, { set: { holders }, when: unchanged })];
    });
  }

  /**
   * The writes for a record's values; `before` is undefined for a new record, `after` for a deleted one. `taken` when a
   * record that the caller sees has an added value; hidden ones do not count and stay hidden. 400 `too_long` when more
   * change than fit into one transaction.
   */
  async change(ctx: CallerContext, before: R | undefined, after: R | undefined): Promise<Write[]> {
    const { valuesOf } = this.#kind;
    const steps = [{ before, after }];
    const says = after && valuesOf(after).length <= FEW ? this.#whole : holderOf;
    const moved = await this.#moved(ctx.table, ctx.caller.account.id, steps, says);
    await this.#refuseTaken(ctx, after ? valuesOf(after) : [], before ? valuesOf(before) : [], moved.items);
    return this.#writes(ctx.caller.account.id, moved, steps);
  }

  /** The writes when another record, `gone`, becomes part of one, with its values. 400 `too_long` as in `change`. */
  merge(ctx: CallerContext, { before, after, gone }: Merged<R>): Promise<Write[]> {
    return this.#follow(ctx.table, [
      { before, after },
      { before: gone, after: undefined },
    ]);
  }

  /** The writes when `gone` is a record again: `taken` for values that it gets back, as in `change`. */
  async separate(ctx: CallerContext, { before, after, gone }: Merged<R>): Promise<Write[]> {
    const { valuesOf } = this.#kind;
    const steps = [
      { before, after },
      { before: undefined, after: gone },
    ];
    const moved = await this.#moved(ctx.table, ctx.caller.account.id, steps);
    await this.#refuseTaken(ctx, valuesOf(gone), valuesOf(before), moved.items);
    return this.#writes(ctx.caller.account.id, moved, steps);
  }

  /** The writes of a change that gives the record no value. */
  follow(table: Table, before: R, after: R): Promise<Write[]> {
    return this.#follow(table, [{ before, after }]);
  }

  async #follow(table: Table, steps: [Step<R> & { before: R }, ...Step<R>[]]): Promise<Write[]> {
    const { account_id } = steps[0].before;
    return this.#writes(account_id, await this.#moved(table, account_id, steps), steps);
  }
}
