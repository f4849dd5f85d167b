export * as createGroup from './create-group.ts';
export * as createMembership from './create-membership.ts';
export * as deleteGroup from './delete-group.ts';
export * as deleteMembership from './delete-membership.ts';
export * as listGroups from './list-groups.ts';
export * as retrieveGroup from './retrieve-group.ts';
export * as updateGroup from './update-group.ts';
