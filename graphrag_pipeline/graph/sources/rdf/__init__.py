"""RDF: thesauri, ontologies and other statements."""
