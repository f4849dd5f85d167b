import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { ApiError, invalidField } from '#shared/errors.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { ConditionFailed } from '#shared/table/table.ts';
import type { ExternalIds } from './external-ids.ts';
import type { Plan } from './plan.ts';

/** Creating a record, or changing the one that an integration created before with the same `external_id`. */

interface Upserting<P> {
  external_ids: ExternalIds;
  external_id: string | null | undefined;
  create(): P | Promise<P>;
  update(id: string): Promise<P>;
  /** 404 for a record that the caller does not see. */
  require(id: string): Promise<unknown>;
}

const failsWith = (error: unknown, code: string) => error instanceof ApiError && error.code === code;

/** Another request was faster, so that this one reads again. */
const again = () => new ConditionFailed(undefined);

/** Hidden, or deleted since; or it is something else that the request names and that is not there. */
async function explain(
  error: unknown,
  id: string,
  { external_ids, require }: Upserting<unknown>,
): Promise<unknown> {
  if (!failsWith(error, 'record_not_found')) return error;
  const holds = await require(id).then(
    () => true,
    () => false,
  );
  return holds ? error : external_ids.taken();
}

/**
 * A new record has no `before`. 400 without an external id, 409 `external_id_taken` for the one of a hidden record; else
 * as creates and changes.
 */
export function upsert<P extends Plan<unknown>>(ctx: CallerContext, upserting: Upserting<P>): Promise<P> {
  const { external_ids, external_id, create, update } = upserting;
  if (typeof external_id !== 'string')
    throw invalidField('external_id', 'required', 'is required to find the record by it');
  const holder = () => external_ids.holder(ctx, external_id);
  const written = async (planned: P) => {
    await commit(ctx, await planned.change());
    return planned;
  };
  return retryOnConflict(async () => {
    const id = await holder();
    try {
      return await written(await (id === undefined ? create() : update(id)));
    } catch (error) {
      if (id === undefined) throw failsWith(error, 'external_id_taken') ? again() : error;
      const explained = await explain(error, id, upserting);
      // A deleted record frees its external id.
      throw explained !== error && (await holder()) !== id ? again() : explained;
    }
  });
}
