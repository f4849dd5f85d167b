import { requireEditable, requireRecord } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Organization } from './organization.ts';

/** An organization that the caller sees. 404 for any other. */
export const requireOrganization = (ctx: CallerContext, id: string) =>
  requireRecord<Organization>(ctx, 'organizations', id);

/** An organization that the caller may change. 404 for a hidden one, 403 for one that the caller may only look at. */
export const requireEditableOrganization = (ctx: CallerContext, id: string) =>
  requireEditable<Organization>(ctx, 'organizations', id);
