import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { interactions } from '#shared/composition/interactions.ts';
import { replies } from '#shared/composition/replies.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { organizationSchema } from '#shared/domain/crm/organizations/organization.ts';
import { retrieveOrganization as retrieve } from '#shared/domain/crm/organizations/retrieve.ts';

export const retrieveOrganization = route('retrieveOrganization', {
  method: 'GET',
  path: '/organizations/{id}',
  access: 'read',
  summary: 'Retrieve an organization',
  returns: { 200: { organization: organizationSchema } },
  uses: ['table:read'],
  streams: true,
});

export const handler = handle(
  retrieveOrganization,
  async ({ ctx, params }) => ({ organization: await retrieve(ctx, params.id) }),
  { ...visibility, ...replies, ...interactions },
);
