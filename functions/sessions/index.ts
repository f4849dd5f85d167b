export * as createOneTimeCode from './create-one-time-code.ts';
