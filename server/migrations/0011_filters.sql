-- Saved filters (decision 15), and what their criteria need of the database: a comparison of texts that
-- depends on no locale, and indexes for the conditions that narrow most.

CREATE TABLE filters (
  account_id id NOT NULL,
  id         id NOT NULL,
  name       text NOT NULL,
  target     text NOT NULL CHECK (target IN ('orders', 'shipments', 'both')),
  criteria   jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX filters_name ON filters (account_id, name);

-- The same letters as in domain/criteria/folded.ts, which says why. A change is a new migration that
-- builds the indexes below anew.
CREATE FUNCTION folded(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
  WHEN octet_length(given) = char_length(given) THEN lower(given COLLATE "C")
  ELSE normalize(translate(lower(normalize(given, NFD) COLLATE "C"),
    'ÆÐØÞĐĦŁŊŒŦƁƆƊƎƏƐƓƔƖƗƘƝƟƩƱƲƳƵƷǤȜȢɄɅẞΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩЂЄЅІЈЉЊЋЏАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯҐҒҖҘҚҜҠҢҤҪҮҰҲҶҸҺӀӘӨԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖς',
    'æðøþđħłŋœŧɓɔɗǝəɛɠɣɩɨƙɲɵʃʊʋƴƶʒǥȝȣʉʌßαβγδεζηθικλμνξοπρστυφχψωђєѕіјљњћџабвгдежзиклмнопрстуфхцчшщъыьэюяґғҗҙқҝҡңҥҫүұҳҷҹһӏәөաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆσ'),
    NFC)
END;

-- Tags as an index can hold them for many accounts at once: each with its account before it.
CREATE FUNCTION tag_keys(account_id text, tags text[]) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ARRAY(SELECT account_id || ' ' || folded(tag) FROM unnest(tags) AS tag);

CREATE INDEX shipments_by_country ON shipments (account_id, (to_address ->> 'country_code'), id);
-- Most shipments have no tags, and cost this index nothing. What of them have which is told to the
-- planner by itself, because it does not learn it from an index on a part of the table.
CREATE INDEX shipments_by_tag ON shipments USING gin (tag_keys(account_id, tags)) WHERE tags <> '{}';
CREATE STATISTICS shipments_tag_keys ON (tag_keys(account_id, tags)) FROM shipments;
