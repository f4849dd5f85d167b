export * as createTermsAssent from './create-terms-assent.ts';
export * as listTermsAssents from './list-terms-assents.ts';
