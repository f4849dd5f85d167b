export * as downloadFile from './download-file.ts';
