export * as createCustomField from './create-custom-field.ts';
export * as deleteCustomField from './delete-custom-field.ts';
export * as listCustomFields from './list-custom-fields.ts';
export * as retrieveCustomField from './retrieve-custom-field.ts';
export * as updateCustomField from './update-custom-field.ts';
