-- Searches and criteria without regard to accents: nobody types them into a search. What `folded` makes of a text
-- is what domain/criteria/folded.ts makes of it; what is indexed by it is built anew.

DROP INDEX shipments_by_tag, orders_by_tag, shipments_by_recipient, orders_by_recipient;
DROP STATISTICS shipments_tag_keys, orders_tag_keys, shipments_recipient, orders_recipient;

-- Letters with a stroke are the plain ones, ligatures two letters, and accents (U+0300 to U+036F) nothing.
CREATE OR REPLACE FUNCTION folded(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
  WHEN octet_length(given) = char_length(given) THEN lower(given COLLATE "C")
  ELSE normalize(replace(replace(replace(regexp_replace(translate(lower(normalize(given, NFD) COLLATE "C"),
    'ÆÐØÞĐĦŁŊŒŦƁƆƊƎƏƐƓƔƖƗƘƝƟƩƱƲƳƵƷǤȜȢɄɅẞΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩЂЄЅІЈЉЊЋЏАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯҐҒҖҘҚҜҠҢҤҪҮҰҲҶҸҺӀӘӨԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖςøđħłŧðı',
    'ædoþdhlŋœtɓɔɗǝəɛɠɣɩɨƙɲɵʃʊʋƴƶʒǥȝȣʉʌßαβγδεζηθικλμνξοπρστυφχψωђєѕіјљњћџабвгдежзиклмнопрстуфхцчшщъыьэюяґғҗҙқҝҡңҥҫүұҳҷҹһӏәөաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆσodhltdi'),
    U&'[\0300-\036F]', '', 'g'), 'æ', 'ae'), 'œ', 'oe'), 'ß', 'ss'),
    NFC)
END;

CREATE INDEX shipments_by_tag ON shipments USING gin (tag_keys(account_id, tags)) WHERE tags <> '{}';
CREATE INDEX orders_by_tag ON orders USING gin (tag_keys(account_id, tags)) WHERE tags <> '{}';
CREATE STATISTICS shipments_tag_keys ON (tag_keys(account_id, tags)) FROM shipments;
CREATE STATISTICS orders_tag_keys ON (tag_keys(account_id, tags)) FROM orders;

-- A recipient is searched by the beginning of the name, or of its last word, which is mostly the family's.
CREATE INDEX shipments_by_recipient ON shipments (account_id, folded(to_address ->> 'name') text_pattern_ops)
  WHERE folded(to_address ->> 'name') IS NOT NULL;
CREATE INDEX shipments_by_family_name
  ON shipments (account_id, folded(split_part(to_address ->> 'name', ' ', -1)) text_pattern_ops)
  WHERE folded(split_part(to_address ->> 'name', ' ', -1)) IS NOT NULL;
CREATE INDEX orders_by_recipient ON orders (account_id, folded(to_address ->> 'name') text_pattern_ops)
  WHERE folded(to_address ->> 'name') IS NOT NULL;
CREATE INDEX orders_by_family_name
  ON orders (account_id, folded(split_part(to_address ->> 'name', ' ', -1)) text_pattern_ops)
  WHERE folded(split_part(to_address ->> 'name', ' ', -1)) IS NOT NULL;
CREATE STATISTICS shipments_recipient ON (folded(to_address ->> 'name')) FROM shipments;
CREATE STATISTICS shipments_family_name ON (folded(split_part(to_address ->> 'name', ' ', -1))) FROM shipments;
CREATE STATISTICS orders_recipient ON (folded(to_address ->> 'name')) FROM orders;
CREATE STATISTICS orders_family_name ON (folded(split_part(to_address ->> 'name', ' ', -1))) FROM orders;
