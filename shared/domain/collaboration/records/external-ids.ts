import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { UniqueNames } from '#shared/domain/platform/names/unique.ts';
import { ApiError } from '#shared/errors.ts';
import { keys, type RecordType } from '#shared/table/keys.ts';
import type { Write } from '#shared/table/table.ts';
import type { Merged } from './merged.ts';
import type { GuardedItem } from './policy.ts';
import { singular } from './types.ts';

type Identified = Pick<GuardedItem, 'id' | 'account_id'> & { external_id: string | null };

/**
 * The ids that integrations give to records of a type, unique in the account. 409 `external_id_taken`, even when the
 * caller does not see the other record.
 */
export class ExternalIds {
  readonly names: UniqueNames;
  readonly taken: () => ApiError;

  constructor(type: RecordType) {
    const message = `is on another ${singular(type).replace('_', ' ')}`;
    this.taken = () =>
      new ApiError('external_id_taken', { fields: { external_id: { code: 'taken', message } } });
    this.names = new UniqueNames(
      (account_id, id) => keys.externalId(account_id, type, id),
      this.taken,
      (id) => id,
    );
  }

  /** The id of the record with this id of an integration, whether the caller sees it or not. */
  async holder({ table, caller }: CallerContext, external_id: string): Promise<string | undefined> {
    const found = await this.names.find(table, caller.account.id, [external_id]);
    return found.get(external_id);
  }

  /** The writes of a change; `before` is undefined for a new record, `after` for a deleted one. */
  change(before: Identified | undefined, after: Identified | undefined): Write[] {
    const record = after ?? before;
    if (!record) return [];
    return this.names.change(record.account_id, record.id, {
      from: before?.external_id ?? null,
      to: after?.external_id ?? null,
    });
  }

  /** The writes of a merge: the record that stays has one of both ids, or none, and the other id is free. */
  merge({ before, after, gone }: Merged<Identified>): Write[] {
    return [before, gone].flatMap(({ id, account_id, external_id: name }): Write[] => {
      if (name === null) return [];
      if (name !== after.external_id) return [this.names.free(account_id, name, id)];
      return id === after.id ? [] : [this.names.pass(account_id, name, { from: id, to: after.id })];
    });
  }

  /** The writes when `gone` is a record of its own again, with its id. 409 when another record has it. */
  separate({ before, after, gone }: Merged<Identified>): Write[] {
    const { account_id, external_id: name } = gone;
    if (name === null || name !== before.external_id || name === after.external_id)
      return [...this.change(before, after), ...this.change(undefined, gone)];
    return [
      this.names.pass(account_id, name, { from: before.id, to: gone.id }),
      ...this.change({ ...before, external_id: null }, after),
    ];
  }
}
