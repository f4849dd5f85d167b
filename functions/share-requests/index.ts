export * as createShare from './create-share.ts';
export * as deleteShare from './delete-share.ts';
export * as listShares from './list-shares.ts';
export * as updateShare from './update-share.ts';
