import type { ImportableType } from './fields.ts';

/**
 * Names of columns, folded, by what they mean: those of exports of Google Contacts, Outlook, HubSpot, Salesforce and
 * Pipedrive, and plain names in English, German, French and Spanish.
 */

type Names = Record<string, string>;

/** `field: names` turned around. */
function named(table: Record<string, string>): Names {
  const pairs = Object.entries(table).flatMap(([field, names]) =>
    names.split('|').map((name) => [name.trim(), field] as const),
  );
  return Object.fromEntries(pairs);
}

const phones = {
  phone_numbers:
    'phone|phone number|phone numbers|telephone|tel|telefon|telefonnummer|primary phone|main phone|numero de telephone|telefono|company main phone',
  'phone_numbers.work':
    'work phone|business phone|business phone 2|office phone|phone work|telefon geschaftlich|telephone professionnel',
  'phone_numbers.mobile':
    'mobile|mobile phone|mobile phone number|cell|cell phone|phone mobile|mobil|handy|mobiltelefon|portable|movil',
  'phone_numbers.home': 'home phone|home phone 2|phone home|telefon privat|telephone domicile',
  'phone_numbers.other': 'other phone|phone other',
  'phone_numbers.fax': 'fax|fax number|business fax|home fax|phone fax',
};

const addresses = {
  street:
    'street|address|street address|address line 1|mailing street|billing street|strasse|rue|calle|direccion|adresse|postal address',
  city: 'city|town|mailing city|billing city|ort|stadt|ville|ciudad',
  region:
    'region|state|state region|province|county|mailing state|mailing state province|billing state|billing state province|bundesland|provincia|estado',
  postal_code:
    'postal code|zip|zip code|zip postal code|postcode|mailing zip|mailing zip postal code|mailing postal code|billing zip|billing zip postal code|billing postal code|plz|postleitzahl|code postal|codigo postal',
  country: 'country|country region|mailing country|billing country|land|pays|pais',
  'street.work': 'business street|work street',
  'city.work': 'business city|work city',
  'region.work': 'business state|work state',
  'postal_code.work': 'business postal code|work postal code',
  'country.work': 'business country region|business country|work country',
  'street.home': 'home street',
  'city.home': 'home city',
  'region.home': 'home state',
  'postal_code.home': 'home postal code',
  'country.home': 'home country region|home country',
};

const common = {
  external_id: 'external id|contact id|lead id|account id|deal id|opportunity id|record id|id|activity id',
  description: 'description|notes|note|comments|beschreibung|notizen|remarques|notas|bemerkung',
  visibility: 'visibility',
  tags: 'tags|tag|labels|label|categories|category|group membership|schlagworte|etiquettes|etiquetas',
};

const links = {
  links: 'website|web page|url|web|site web|sitio web|webseite|personal web page|links',
  'links.LinkedIn': 'linkedin|linkedin url|linkedin profile|linkedin bio|linkedin company page',
};

export const headers: Record<ImportableType, Names> = {
  contacts: named({
    name: 'name|full name|display name|contact name|vollstandiger name|nom complet|nombre completo|file as',
    first_name: 'first name|given name|firstname|vorname|prenom|nombre',
    last_name:
      'last name|family name|surname|lastname|nachname|familienname|nom|nom de famille|apellido|apellidos',
    nickname: 'nickname|spitzname|surnom|apodo',
    email_addresses:
      'email|e mail|mail|email address|e mail address|email addresses|e mail adresse|adresse e mail|correo|correo electronico|courriel|primary email|email 1|e mail 1',
    'email_addresses.work': 'work email|business email|email work',
    'email_addresses.home': 'home email|personal email|email home|e mail privat',
    'email_addresses.other': 'email other|other email|additional email addresses|secondary email',
    organization:
      'organization|organisation|company|company name|organization name|account|account name|firma|unternehmen|societe|entreprise|empresa|employer|associated company',
    title: 'title|job title|position|role|organization title|berufsbezeichnung|poste|fonction|puesto|cargo',
    headline: 'headline',
    avatar_url: 'avatar url|photo|photo url|picture|avatar',
    birthday: 'birthday|birthdate|date of birth|birth date|geburtstag|anniversaire|cumpleanos',
    time_zone: 'time zone|timezone|zeitzone',
    ...phones,
    ...addresses,
    ...common,
    ...links,
  }),
  organizations: named({
    name: 'name|company|company name|organization|organisation|organization name|account name|firma|unternehmen|societe|entreprise|empresa',
    domains: 'domain|domains|company domain name|domain name|email domain',
    website_url: 'website|website url|web page|url|web|site web|sitio web|webseite',
    logo_url: 'logo|logo url',
    industry: 'industry|branche|secteur|industria|sector',
    employee_count:
      'employees|employee count|number of employees|mitarbeiter|mitarbeiterzahl|effectif|empleados|headcount',
    'links.LinkedIn': links['links.LinkedIn'],
    ...phones,
    ...addresses,
    ...common,
  }),
  deals: named({
    name: 'name|deal|deal name|opportunity|opportunity name|title|deal title',
    pipeline: 'pipeline|deal pipeline|sales pipeline',
    pipeline_id: 'pipeline id',
    stage: 'stage|deal stage|sales stage|phase|etape|etapa',
    stage_id: 'stage id',
    amount: 'amount|value|amount in company currency|betrag|wert|montant|importe|deal amount',
    currency: 'currency|currency code|wahrung|devise|moneda|currency of value',
    probability: 'probability|probability %|deal probability|wahrscheinlichkeit|forecast probability',
    expected_close_on: 'expected close on|close date|expected close date|closing date|abschlussdatum',
    lost_reason: 'lost reason|closed lost reason|loss reason',
    assigned_user:
      'assigned user|owner|deal owner|owner email|opportunity owner|assigned to|assignee|zustandig|responsable',
    assigned_user_id: 'assigned user id',
    organization:
      'organization|organisation|company|company name|account|account name|associated company|firma|organization name',
    organization_id: 'organization id',
    contacts: 'contacts|contact|contact email|contact emails|email|associated contact|contact email address',
    contact_ids: 'contact ids',
    ...common,
  }),
  tasks: named({
    name: 'name|task|task name|title|subject|task title|aufgabe|tache|tarea|betreff|content|activity subject',
    due_at: 'due at|due date|due|deadline|date|fallig|falligkeitsdatum|echeance|fecha limite|vencimiento',
    priority: 'priority|prioritat|priorite|prioridad',
    assigned_user: 'assigned user|assignee|assigned to|owner|responsible|zustandig|responsable',
    assigned_user_id: 'assigned user id',
    organizations: 'organizations|organization|company|account|company account|firma',
    organization_ids: 'organization ids',
    contacts: 'contacts|contact|contact email|email',
    contact_ids: 'contact ids',
    deal_id: 'deal id',
    space_id: 'space id',
    milestone_id: 'milestone id',
    external_id: 'external id|record id|id|task id|activity id',
    description: common.description,
    visibility: 'visibility',
  }),
  calendar_events: {},
};
