/**
 * Replaces `@aws-sdk/token-providers` in the bundles, with which the client of Bedrock looks for API keys in variables,
 * profiles and single sign-on before it signs requests. Lambda always passes the role's credentials. The search is 20 kB.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys.html
 */
function noKey() {
  return async (): Promise<never> => {
    throw new Error('API keys are not in the bundles: see infra/aws/replaced/tokens.ts');
  };
}

export { noKey as fromEnvSigningName, noKey as nodeProvider };
