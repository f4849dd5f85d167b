export * as applyTag from './apply-tag.ts';
export * as createTag from './create-tag.ts';
export * as deleteTag from './delete-tag.ts';
export * as listTags from './list-tags.ts';
export * as removeTag from './remove-tag.ts';
export * as retrieveTag from './retrieve-tag.ts';
export * as updateTag from './update-tag.ts';
