export * as countFiles from './count-files.ts';
export * as createFile from './create-file.ts';
export * as createFilePresignedUrl from './create-file-presigned-url.ts';
export * as deleteFile from './delete-file.ts';
export * as downloadFile from './download-file.ts';
export * as listFiles from './list-files.ts';
export * as retrieveFile from './retrieve-file.ts';
export * as updateFile from './update-file.ts';
