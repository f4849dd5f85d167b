export * as createUpload from './create-upload.ts';
