"""Words of European languages in the names of tables and columns, and what they are in English.

Open-source systems keep the language of the people who began them: an ERP from France calls its invoices `facture`, one from Germany
`rechnung`, one from Brazil `fatura`. Nobody asks in these words here, so they are found by their English alone. Only
words that mean nothing in English are listed.
"""

from __future__ import annotations

_FRENCH = """
achat purchase|acheteur buyer|adherent member|adherents member|adresse address|annee year|atelier workshop|banque bank
bordereau slip|caisse cash register|categorie category|chantier site|chauffeur driver
commande order|commandes order|commandedet order line|commerciaux sales representative
compte account|comptes account|comptabilite accounting|conge leave|conges leave|contrat contract
contrats contract|cotisation subscription|courriel email|devis quote|devise currency|echeance due date
ecriture entry|eleve student|employe employee|employes employee|entrepot warehouse|entrepots warehouse|entreprise company
expedition shipment|fabricant manufacturer|facture invoice|factures invoice|facturedet invoice line|fichinter intervention
fournisseur supplier|fournisseurdet supplier line|propaldet proposal line|contratdet contract line|fournisseurs supplier|fourn supplier|frais expense|horaire schedule|immeuble building
jour day|libelle label|ligne line|livraison delivery|livraisons delivery|livre book|locataire tenant|loyer rent|magasin store
marque brand|mouvement movement|naissance birth|nom name|nombre number|numero number|paiement payment|paiements payment|panier cart|paye paid|payee paid|reel actual
personne person|prenom first name|prestation service|produit product|produits product
projet project|projets project|propal proposal|quantite quantity|reglement payment|remise discount|rendez appointment|salaire salary
salarie employee|seuil threshold|societe company/customer|societes company|solde balance|soldes balance|stagiaire trainee|tache task|taches task
taux rate|tva tax|utilisateur user|utilisateurs user|valeur value|vendeur seller|vente sale|ventes sale|alerte alert
ville city|voiture car
"""

_GERMAN = """
abteilung department|anschrift address|anzahl number|artikel article|auftrag order|auftraege order|ausgabe expense|benutzer user
beleg receipt|bestand stock|besteller buyer|bestellung order|bestellungen order|betrag amount|buchung booking
einkauf purchase|firma company|geburtsdatum birth date|gehalt salary|geschlecht gender|haendler dealer|hersteller manufacturer
kasse cash register|kategorie category|konto account|konten account|kosten cost|kunde customer|kunden customer
lieferant supplier|lieferanten supplier|lieferung delivery|mahnung reminder|menge quantity|mitarbeiter employee|mitglied member
nachname last name|ort city|plz postcode|preis price|preise price|produkt product|produkte product|projekt project|rabatt discount
rechnung invoice|rechnungen invoice|steuer tax|strasse street|stueckzahl quantity|termin appointment|umsatz revenue|verkauf sale
vertrag contract|vertraege contract|vorname first name|waehrung currency|zahlung payment|zahlungen payment
"""

_SPANISH_PORTUGUESE_ITALIAN = """
almacen warehouse|alumno student|apellido last name|apellidos last name|cantidad quantity|ciudad city|cliente customer
clientes customer|compra purchase|compras purchase|correo email|cuenta account|descuento discount|direccion address
empleado employee|empleados employee|empresa company|empresas company|envio shipment|estado status|existencias stock|factura invoice
facturas invoice|fecha date|gasto expense|gastos expense|impuesto tax|inventario inventory|moneda currency|monto amount
nombre name|pago payment|pagos payment|pais country|pedido order|pedidos order|precio price|precios price
producto product|productos product|proveedor supplier|proveedores supplier|proyecto project|puesto position|saldo balance
sucursal branch|sueldo salary|tarea task|telefono phone|tienda store|usuario user|usuarios user|vendedor seller|venta sale
ventas sale|cidade city|compras purchase|contato contact|endereco address|estoque stock|fatura invoice|faturas invoice
fornecedor supplier|fornecedores supplier|funcionario employee|funcionarios employee|loja store|nome name|pagamento payment
pagamenti payment|preco price|produto product|produtos product|projeto project|quantidade quantity|salario salary|tarefa task
venda sale|vendas sale|azienda company|cognome last name|fattura invoice|fatture invoice|fornitore supplier
fornitori supplier|magazzino warehouse|ordine order|ordini order|prezzo price|prodotto product|prodotti product|quantita quantity
sconto discount|spesa expense|utente user|utenti user|vendita sale|vendite sale
"""


def _read(*texts: str) -> dict[str, tuple[str, ...]]:
    """Words and what they may mean, each a word or two; of two languages both meanings count."""
    found: dict[str, tuple[str, ...]] = {}
    for text in texts:
        for entry in text.strip().replace("\n", "|").split("|"):
            word, _, english = entry.partition(" ")
            found[word] = tuple(dict.fromkeys((*found.get(word, ()), *english.split("/"))))
    return found


IN_ENGLISH = _read(_FRENCH, _GERMAN, _SPANISH_PORTUGUESE_ITALIAN)
"""What a foreign word means in English, likeliest first."""
FOREIGN = {word: tuple(dict.fromkeys(" ".join(meant).split())) for word, meant in IN_ENGLISH.items()}
"""The English words of all these meanings."""

FRENCH_TAX = frozenset({"tva", "ttc"})
FRENCH_SHORT = {"ht": "excluding tax", "ttc": "including tax", "tx": "rate"}
"""Short forms where one of those says that the names are French: elsewhere ht is a height."""
