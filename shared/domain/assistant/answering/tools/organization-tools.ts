import { requiredText } from '#shared/values.ts';
import { readOrganization } from './read-organization.ts';
import type { RecordTools } from './record-tools.ts';
import { searchOrganizations } from './search-organizations.ts';
import { tool } from './tool.ts';

export const organizationTools: RecordTools = {
  card_type: 'Organization',
  reading: 'an organization with its people, deals and tasks',
  read: readOrganization,
  own: (context) => ({
    search_organizations: tool(
      'search_organizations',
      'Find organizations by the beginnings of words of their names and domains.',
      { query: requiredText(500) },
      ({ query }) => searchOrganizations(context, query),
    ),
  }),
};
