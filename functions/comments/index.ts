export * as addReaction from './add-reaction.ts';
export * as createComment from './create-comment.ts';
export * as deleteComment from './delete-comment.ts';
export * as listComments from './list-comments.ts';
export * as removeReaction from './remove-reaction.ts';
export * as updateComment from './update-comment.ts';
export * as updateReaction from './update-reaction.ts';
