import type { Restorable } from '#shared/domain/collaboration/deletions/restorable.ts';
import { accessOf } from '#shared/domain/collaboration/records/policy.ts';
import { linkedSpaces } from '#shared/domain/crm/spaces/memberships/linked.ts';
import { withinSpaces } from '#shared/domain/crm/spaces/memberships/room.ts';
import { organizationIndex } from './lists.ts';
import type { Organization } from './organization.ts';
import { isFull } from './owners.ts';
import { requireEditableOrganization } from './policy.ts';
import { besidesOf } from './writes.ts';

export const restorableOrganizations: Restorable<Organization> = {
  index: organizationIndex,
  links: [{ kind: 'membership', linked: linkedSpaces({ index: organizationIndex, isFull }) }],
  mayDelete: ({ caller: { user } }, organization) => accessOf(organization, user) === 'edit',
  require: requireEditableOrganization,
  async back(ctx, organization) {
    const { after, writes } = await withinSpaces(ctx, organization);
    return { after, writes: [...(await besidesOf(ctx, undefined, after)), ...writes] };
  },
};
