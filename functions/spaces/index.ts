export * as createSpace from './create-space.ts';
export * as createSpaceMembership from './create-space-membership.ts';
export * as deleteSpace from './delete-space.ts';
export * as deleteSpaceMembership from './delete-space-membership.ts';
export * as listSpaces from './list-spaces.ts';
export * as retrieveSpace from './retrieve-space.ts';
export * as updateSpace from './update-space.ts';
