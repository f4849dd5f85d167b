export * as countOrganizations from './count-organizations.ts';
export * as createOrganization from './create-organization.ts';
export * as deleteOrganization from './delete-organization.ts';
export * as listOrganizations from './list-organizations.ts';
export * as retrieveOrganization from './retrieve-organization.ts';
export * as updateOrganization from './update-organization.ts';
