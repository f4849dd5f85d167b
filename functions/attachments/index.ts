export * as createPresignedUrl from './create-presigned-url.ts';
