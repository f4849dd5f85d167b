export * as createUpload from './create-upload.ts';
export * as deleteUpload from './delete-upload.ts';
export * as retrieveUpload from './retrieve-upload.ts';
