export * as createComment from './create-comment.ts';
export * as listComments from './list-comments.ts';
