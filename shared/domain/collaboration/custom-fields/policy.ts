import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { requireAdmin } from '#shared/domain/identity/users/policy.ts';
import { requireVersion } from '#shared/domain/platform/versions/version.ts';
import { recordNotFound } from '#shared/errors.ts';
import { type CustomField, type DefinedType, definedTypes, type FieldSet } from './custom-field.ts';
import { readFieldSet } from './store.ts';

/** All users of an account see its definitions; its owner and admins manage them. */

export interface Found {
  type: DefinedType;
  set: FieldSet;
  field: CustomField;
  place: number;
}

/** 404 when the account has no such definition. */
export async function requireCustomField(
  { table, caller: { account } }: CallerContext,
  id: string,
): Promise<Found> {
  const sets = await Promise.all(definedTypes.map((type) => readFieldSet(table, account.id, type)));
  for (const [i, set] of sets.entries()) {
    const place = set.fields.findIndex((each) => each.id === id);
    const field = set.fields[place];
    if (field) return { type: definedTypes[i] as DefinedType, set, field, place };
  }
  throw recordNotFound();
}

/** 404 when the account has no such definition, 403 for everyone except admins, 412 for another version. */
export async function requireManaged(ctx: CallerContext, id: string): Promise<Found> {
  const found = await requireCustomField(ctx, id);
  requireAdmin(ctx.caller);
  requireVersion(ctx, id, found.field);
  return found;
}
