import { CfnOutput } from 'aws-cdk-lib';
import { DomainName, EndpointType, SecurityPolicy, type SpecRestApi } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { CfnRecordSet } from 'aws-cdk-lib/aws-route53';
import type { Construct } from 'constructs';
import type { Stage } from './stage.ts';

/**
 * A domain of the API's own. It survives that the Api stack is deleted and deployed again, unlike the gateway's address.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-regional-api-custom-domain-create.html
 */
export function addDomain(scope: Construct, api: SpecRestApi, { domain }: Stage): void {
  if (!domain) return;
  const added = new DomainName(scope, 'Domain', {
    domainName: domain.name,
    certificate: Certificate.fromCertificateArn(scope, 'Certificate', domain.certificate_arn),
    endpointType: EndpointType.REGIONAL,
    securityPolicy: SecurityPolicy.TLS_1_2,
  });
  added.addBasePathMapping(api, { stage: api.deploymentStage });
  const { domainNameAliasDomainName: dnsName, domainNameAliasHostedZoneId: hostedZoneId } = added;
  if (domain.hosted_zone_id)
    new CfnRecordSet(scope, 'DomainRecord', {
      hostedZoneId: domain.hosted_zone_id,
      name: domain.name,
      type: 'A',
      aliasTarget: { dnsName, hostedZoneId },
    });
  (api.node.findChild('Endpoint') as CfnOutput).value = `https://${domain.name}/`;
  new CfnOutput(scope, 'DomainTarget', { value: dnsName });
}
